import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET /login`: the page where a user logs in, by a click or with a password.
    ///
    /// - Request: query `interaction`, the conversation that needs a login.
    /// - Response: `200`, HTML.
    /// - Errors: a page with `400` when the conversation is over.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.3.
    func showLogin(_ request: Request) throws -> Response {
        let opened = try open(request.queryItems["interaction"], [.authorization, .device], request)
        let isLost = opened.interaction.loginSession != nil && !hasSessionCookie(request)
        return opened.response(
            try loginPage(
                opened, request,
                error: isLost
                    ? "You logged in, but the browser did not keep the cookie. Allow cookies for this address."
                    : nil)
        )
    }

    /// `POST /login`: the forms of that page.
    ///
    /// - Request: form `interaction`, `csrf`, and `subject`; or `username` and `password`; or `person` and `claims`, JSON that stands
    ///   over the user's own until the session ends; or `decision=cancel`.
    /// - Response: `303` to what asked for the login, with the session's cookies.
    /// - Errors: the page again with `400` for a wrong password or claims; a page with `400` for a form that is not ours or too old;
    ///   `access_denied` at the redirect URI, or for the device, after `cancel`.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.3, §3.1.2.6; what is typed by hand is ours.
    func submitLogin(_ request: Request) throws -> Response {
        let opened = try openForm([.authorization, .device], profile.paths.login, request)
        let form = request.form
        if form["decision"] == "cancel" { return try cancelLogin(opened, request) }
        let (user, claims): (User, [String: JSONValue])
        do {
            (user, claims) = try person(form)
        } catch let fault as PageFault {
            var page = try loginPage(opened, request, typed: form, error: fault.problem)
            page.status = fault.status
            throw PageRefusal(fault, page: page)
        }
        let amr = form["username"] == nil ? "user" : "pwd"
        let login = try logIn(user, amr: [amr], for: opened.interaction.digest, claims: claims, request)
        let paths =
            opened.interaction.kind == .device ? profile.paths.deviceVerification : profile.paths.consent
        var response = Response.seeOther(address(paths, opened.handle, request))
        for cookie in login.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    /// Nobody logs in, and whoever asked for it hears so. Source: RFC 6749 §4.1.2.1; RFC 8628 §3.5.
    private func cancelLogin(_ opened: OpenInteraction, _ request: Request) throws -> Response {
        guard opened.interaction.kind == .device else {
            return try noting(request) {
                let started = try resumed(opened, request)
                try world.change { turn in _ = try finish(started, in: turn.db) }
                throw AuthorizationRefusal(.cancelled, started.asked.target)
            }
        }
        do {
            let code = opened.interaction.form["user_code"] ?? ""
            return opened.response(
                DevicePage.done(false, try decideDevice(code, nil, from: request.peer.address)))
        } catch let fault as PageFault {
            throw PageRefusal(fault)
        }
    }

    /// Who logs in, with claims for this login.
    ///
    /// - Throws: ``PageFault``.
    private func person(_ form: Form) throws -> (User, [String: JSONValue]) {
        let users = try database.read { db in try self.users.all(in: db) }
        guard let typed = try TypedLogin(form) else { return (try Self.user(form, users), [:]) }
        if let known = users.first(where: { $0.isMeant(by: typed.person) }) { return (known, typed.claims) }
        guard users.count < TypedLogin.peopleLimit else {
            throw PageFault.peopleTooMany(limit: TypedLogin.peopleLimit)
        }
        let user = User(subject: typed.person, username: typed.person)
        try world.change { turn in
            // Another tab may have been faster.
            if try self.users.find(user.subject, in: turn.db) == nil {
                try self.users.insert(user, in: turn.db)
            }
        }
        services.journal.event(
            "user made up", about: user.subject,
            "There was no user “\(user.subject)” before; the login page created one, without a password."
        )
        return (user, typed.claims)
    }

    /// - Throws: ``PageFault``.
    private static func user(_ form: Form, _ users: [User]) throws -> User {
        if let subject = form["subject"] {
            guard let user = users.first(where: { $0.subject == subject }) else {
                throw PageFault.userUnknown(subject, known: known(users))
            }
            return user
        }
        let name = form["username"] ?? ""
        guard let user = users.first(where: { $0.username == name }) else {
            throw PageFault.userUnknown(name, known: known(users))
        }
        guard let password = user.password else { throw PageFault.passwordMissing(name) }
        guard constantTimeEqual(Array(password.utf8), Array((form["password"] ?? "").utf8)) else {
            throw PageFault.passwordWrong(name)
        }
        return user
    }

    /// A few, for a sentence.
    private static func known(_ users: [User]) -> [String] { users.prefix(10).map(\.username) }

    private func loginPage(
        _ opened: OpenInteraction, _ request: Request, typed: Form = Form(""), error: String? = nil
    ) throws -> Page {
        let parameters = AuthorizationParameters(opened.interaction.form)
        let users = try database.read { db in try self.users.all(in: db) }
        let hint = parameters["login_hint"]
        let hinted =
            try users.first { user in hint.map { user.isMeant(by: $0) } ?? false }
            ?? hintedUser(parameters, users, issuer: try issuer(request))
        return LoginPage(
            title: profile.title, client: try client(of: opened.interaction), users: users, hinted: hinted,
            username: typed["username"] ?? hinted?.username ?? hint ?? "", person: typed["person"],
            claims: typed["claims"] ?? "", error: error, action: target(profile.paths.login, request),
            fields: opened.fields
        ).page
    }

    private func hintedUser(
        _ parameters: AuthorizationParameters, _ users: [User], issuer: String
    ) throws -> User? {
        guard let text = parameters["id_token_hint"],
            case .success(let token) = try hintedToken(text, issuer: issuer)
        else { return nil }
        return users.first { $0.subject == token.sub }
    }

    /// Nil when it was taken away meanwhile.
    func client(of interaction: Interaction) throws -> Client? {
        let form = interaction.form
        return try database.read { db in
            if let id = form["client_id"] { return try clients.find(id, in: db) }
            guard let code = form["user_code"], let device = try deviceRequests.find(userCode: code, in: db)
            else { return nil }
            return try clients.find(device.clientID, in: db)
        }
    }
}
