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

    /// `POST /login`: the form of that page.
    ///
    /// - Request: form `interaction`, `csrf`, and either `subject` or `username` and `password`.
    /// - Response: `303` to what asked for the login, with the session's cookies.
    /// - Errors: the page again with `400` for a wrong password; a page with `400` for a form that is not ours or too old.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.3.
    func submitLogin(_ request: Request) throws -> Response {
        let opened = try openForm([.authorization, .device], profile.paths.login, request)
        let form = request.form
        let users = try database.read { db in try self.users.all(in: db) }
        let user: User
        do {
            user = try Self.user(form, users)
        } catch let fault as PageFault {
            var page = try loginPage(opened, request, username: form["username"], error: fault.summary)
            page.status = fault.status
            throw PageRefusal(fault, page: page)
        }
        let amr = form["subject"] == nil ? "pwd" : "user"
        let login = try logIn(user, amr: [amr], for: opened.interaction.digest, request)
        let paths =
            opened.interaction.kind == .device ? profile.paths.deviceVerification : profile.paths.consent
        var response = Response.seeOther(address(paths, opened.handle, request))
        for cookie in login.cookies { response.headers.add("Set-Cookie", cookie) }
        return response
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
        _ opened: OpenInteraction, _ request: Request, username: String? = nil, error: String? = nil
    ) throws -> Page {
        let parameters = AuthorizationParameters(opened.interaction.form)
        let users = try database.read { db in try self.users.all(in: db) }
        let client = try client(of: opened.interaction)
        let hint = parameters["login_hint"]
        let hinted =
            try users.first { user in hint.map { user.isMeant(by: $0) } ?? false }
            ?? hintedUser(parameters, users, issuer: issuer(request))
        return LoginPage(
            title: profile.title, client: client, users: users, hinted: hinted,
            username: username ?? hinted?.username ?? hint ?? "", error: error,
            action: request.baseURL + (profile.paths.login.first ?? ""), fields: opened.fields
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
