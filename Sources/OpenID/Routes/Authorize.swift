import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET` or `POST /authorize`: asks for a user's permission.
    ///
    /// - Request: query or form `client_id`, `redirect_uri`, `response_type`, `scope`, `state`, and what RFC 7636 and OpenID
    ///   Connect add; or `client_id` and the `request_uri` of a pushed request. 64 KiB at most, 8 KiB each.
    /// - Response: `303` to the client, where the fixtures want that by a button for an app; or a page with a form (`response_mode=form_post`); `303` to the login or the consent page
    ///   when somebody has to be asked.
    /// - Errors: a page with `400` while client and redirect URI are not known to be right; then at the redirect URI those of
    ///   Token Server documentation, and those of ``IssueRefusal``.
    /// - Source: RFC 6749 §4.1; RFC 9126 §4; RFC 9207; OpenID Connect Core 1.0 §3.1.2, §3.2.2.
    func authorize(_ request: Request) throws -> Response {
        try noting(request) {
            let form = request.method == .post ? try boundedForm(request) : request.queryItems
            let started = try started(AuthorizationParameters(form), request)
            try noteAddress(.authorization, of: request)
            let response = try proceed(started, request)
            return started.asked.isSilent ? response : try confirming(response)
        }
    }

    /// A request on its way: what it asks for, and where it came from.
    struct StartedAuthorization: Sendable {
        let asked: AuthorizationRequest
        let parameters: AuthorizationParameters
        /// `request_uri`
        let pushedURI: String?
        /// The conversation in which it goes on; nil at its start.
        var opened: OpenInteraction?
    }

    private func started(
        _ parameters: AuthorizationParameters, _ request: Request
    ) throws -> StartedAuthorization {
        let client = try client(parameters)
        guard let uri = parameters["request_uri"], uri.hasPrefix(PushedRequest.prefix) else {
            try requirePush(parameters, of: client, at: request)
            let parameters = try expanded(parameters, of: client, at: request)
            let asked = try readAuthorization(parameters, of: client, at: request)
            return StartedAuthorization(asked: asked, parameters: parameters, pushedURI: nil)
        }
        services.journal.concern(Subject(.request, digest: PushedRequest.digest(of: uri)))
        let found = try database.read { db in
            try pushedRequests.find(uri, clientID: client.id, at: now, in: db)
        }
        switch found {
        case .failure(let fault): throw AuthorizationRefusal(.pushedRequest(uri, fault))
        case .success(let form):
            let pushed = AuthorizationParameters(form)
            let asked = try readAuthorization(pushed, of: client, at: request)
            return StartedAuthorization(asked: asked, parameters: pushed, pushedURI: uri)
        }
    }

    /// Refuses a request that came by the browser where clients have to push it. Source: RFC 9126 §5, §6.
    func requirePush(
        _ parameters: AuthorizationParameters, of client: Client, at request: Request
    ) throws {
        let isDemanded = try settings().demandsPush
        guard isDemanded || client.metadata.requirePushedAuthorizationRequests == true else { return }
        throw AuthorizationRefusal(
            .pushMissing(isClients: !isDemanded), try targetBeside(parameters, client, request))
    }

    func client(_ parameters: AuthorizationParameters) throws -> Client {
        if parameters.byteCount > AuthorizationParameters.byteLimit {
            throw AuthorizationRefusal(.tooLarge(parameters.byteCount))
        }
        if parameters.repeated.contains("client_id") { throw AuthorizationRefusal(.clientRepeated) }
        guard let id = parameters["client_id"] else { throw AuthorizationRefusal(.clientMissing) }
        guard let client = try database.read({ db in try clients.find(id, in: db) }) else {
            throw AuthorizationRefusal(.clientUnknown(id, nearest: try nearestClient(to: id)))
        }
        return client
    }

    /// Does the next step.
    func proceed(_ started: StartedAuthorization, _ request: Request) throws -> Response {
        let circumstances = try circumstances(started, request)
        switch started.asked.step(circumstances) {
        case .refuse(let fault): throw AuthorizationRefusal(fault, started.asked.target)
        case .grant(let session): return try grant(started, session, circumstances.settings, request)
        case .consent:
            let handle = try started.opened?.handle ?? begin(started)
            return .seeOther(address(profile.paths.consent, handle, request))
        case .login:
            if let user = try hintedUser(started), circumstances.settings.logsInByHint {
                return try proceed(started, as: user, request)
            }
            let handle = try started.opened?.handle ?? begin(started)
            return .seeOther(address(profile.paths.login, handle, request))
        }
    }

    private func begin(_ started: StartedAuthorization, loginSession: String? = nil) throws -> String {
        // A pushed request need not name the client that pushed it.
        let pairs = started.parameters.knownPairs(and: profile.ownParameterPrefix).filter {
            $0.name != "client_id"
        }
        return try begin(
            .authorization, Form.encode(pairs + [("client_id", started.asked.client.id)]),
            pushedURI: started.pushedURI, loginSession: loginSession)
    }

    /// Whom `login_hint` means, whom the settings may log in without a page. Source: ours. The journal remarks on a hint that means nobody:
    /// the standard has it passed over (OpenID Connect Core 1.0 §3.1.2.1).
    private func hintedUser(_ started: StartedAuthorization) throws -> User? {
        guard started.opened == nil, let hint = started.asked.loginHint else { return nil }
        let users = try database.read { db in try self.users.all(in: db) }
        if let user = users.first(where: { $0.isMeant(by: hint) }) { return user }
        let known = users.prefix(Self.namedUsers).map { "“\($0.username)”" }.joined(separator: ", ")
        services.journal.explain(
            "The login_hint “\(hint.prefix(100))” is no user's name, subject, mail address or telephone number, so it chooses nobody. "
                + (known.isEmpty ? "There are no users here." : "Users here: \(known)."))
        return nil
    }

    /// As many as a sentence bears.
    private static var namedUsers: Int { 10 }

    private func proceed(
        _ started: StartedAuthorization, as user: User, _ request: Request
    ) throws -> Response {
        let login = try logIn(user, amr: [], for: nil, request)
        let handle = try begin(started, loginSession: login.session.id)
        var response = Response.seeOther(address(profile.paths.consent, handle, request))
        for cookie in login.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    func circumstances(
        _ started: StartedAuthorization, _ request: Request
    ) throws -> AuthorizationCircumstances {
        let (client, interaction) = (started.asked.client, started.opened?.interaction)
        return try database.read { db in
            var circumstances = AuthorizationCircumstances(now: now)
            circumstances.settings = try browserSettings(in: db)
            // Google and its kind ask once about everything.
            circumstances.needingConsent = Set(
                client.metadata.plays == nil
                    ? try scopes.all(in: db).filter { $0.needsConsent == true }.map(\.name)
                    : started.asked.scope.names)
            circumstances.hasCookie = hasSessionCookie(request)
            guard let session = try session(request, in: db) else { return circumstances }
            circumstances.session = session
            circumstances.isLoggedInForThis = interaction?.loginSession == session.id
            circumstances.isConsentedForThis = interaction?.consentSession == session.id
            circumstances.consented =
                try consents.find(session.subject, client.id, in: db)?.scope ?? ScopeList("")
            return circumstances
        }
    }

    /// Tells the audit of a refusal.
    func noting(_ request: Request, _ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let refusal as AuthorizationRefusal {
            let clientID =
                request.method == .post ? request.form["client_id"] : request.queryItems["client_id"]
            policy.note(AuditEvent(refusal.fault.audit, clientID: clientID, request))
            throw refusal
        }
    }
}

extension User {
    /// Whether a `login_hint` means this user: user name, subject, mail address or telephone number.
    func isMeant(by hint: String) -> Bool {
        [username, subject, claims["email"]?.string, claims["phone_number"]?.string].contains(hint)
    }
}
