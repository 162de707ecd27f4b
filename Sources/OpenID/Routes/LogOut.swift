import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET` or `POST /logout`: ends the browser's session and goes back to the client.
    ///
    /// - Request: query or form `id_token_hint`, `client_id`, `post_logout_redirect_uri`, `state`; or the form of the page that
    ///   asks: `interaction`, `csrf`.
    /// - Response: `303` to the client, or `200`, HTML: a button for an app where the fixtures say so, a question when nothing proves that the client may do this, a page with
    ///   frames when clients listen in the browser, or the word that it is done.
    /// - Errors: a page with `400`; then nobody is logged out.
    /// - Source: OpenID Connect RP-Initiated Logout 1.0 §2, §3; Front-Channel Logout 1.0 §3; Back-Channel Logout 1.0 §2.
    func logOut(_ request: Request) throws -> Response { try logOut(request, asksNobody: false) }

    /// - Parameter asksNobody: whether the session ends although nothing proves that the client may do this.
    func logOut(_ request: Request, asksNobody: Bool) throws -> Response {
        let form = request.method == .post ? try boundedForm(request) : request.queryItems
        if request.method == .post, form["interaction"] != nil { return try logOutAsAnswered(request) }
        let order = try logoutOrder(form, request)
        guard let session = try database.read({ db in try session(request, in: db) }) else {
            return try loggedOut(order, SessionEnd(), request)
        }
        guard asksNobody || order.proves(session) else {
            return try askAboutLogout(order, form, session, request)
        }
        return try logOut(session, order, request)
    }

    private func logOutAsAnswered(_ request: Request) throws -> Response {
        let opened = try openForm([.logout], profile.paths.logout, request)
        let order = try logoutOrder(opened.interaction.form, request)
        let session = try world.change { turn -> BrowserSession? in
            try turn.delete(opened.interaction)
            return try self.session(request, in: turn.db)
        }
        guard let session else { return try loggedOut(order, SessionEnd(), request) }
        return try logOut(session, order, request)
    }

    private func logOut(
        _ session: BrowserSession, _ order: LogoutOrder, _ request: Request
    ) throws -> Response {
        let end = try world.change { turn in try self.end(session, in: turn.db) }
        try send(end.backChannel)
        services.journal.event(
            "logged out", about: session.subject,
            "The session of “\(session.subject)” ended. Told in the background: "
                + "\(end.backChannel.map(\.client.id).joined(separator: ", ").orNobody); in frames: "
                + "\(end.frontChannel.joined(separator: ", ").orNobody).")
        return try loggedOut(order, end, request)
    }

    private func askAboutLogout(
        _ order: LogoutOrder, _ form: Form, _ session: BrowserSession, _ request: Request
    ) throws -> Response {
        let handle = try begin(.logout, Form.encode(form.pairs))
        let opened = try open(handle, [.logout], request)
        let user = try database.read { db in try users.find(session.subject, in: db) }
        return opened.response(
            LogoutPage.question(
                client: order.client, user: user,
                action: target(profile.paths.logout, request),
                fields: opened.fields))
    }

    private func loggedOut(_ order: LogoutOrder, _ end: SessionEnd, _ request: Request) throws -> Response {
        var response: Response
        if let target = order.target, end.frontChannel.isEmpty {
            response = try confirming(.seeOther(target))
        } else {
            var page = LogoutPage.done(order.client, end.frontChannel, target: order.target)
            if let target = order.target, try confirmsRedirect(to: target) { page.refresh = nil }
            response = page.response
        }
        for line in cookies(request).cleared { response.headers.add("Set-Cookie", line) }
        return response
    }

    /// - Throws: ``PageRefusal``; nobody is logged out then.
    private func logoutOrder(_ form: Form, _ request: Request) throws -> LogoutOrder {
        let parameters = AuthorizationParameters(form)
        for name in ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"]
        where form.values(of: name).count > 1 {
            throw PageRefusal(.parameterRepeated(name))
        }
        let hint = try parameters["id_token_hint"].map { try logoutHint($0, request) }
        if let id = parameters["client_id"], let hint, !hint.audience.contains(id) {
            throw PageRefusal(.logoutClientOther(named: id, audience: hint.audience))
        }
        guard let id = parameters["client_id"] ?? hint?.audience.first else { return LogoutOrder() }
        guard let client = try database.read({ db in try clients.find(id, in: db) }) else {
            throw PageRefusal(.logoutClientUnknown(id))
        }
        return LogoutOrder(hint: hint, client: client, target: try logoutTarget(parameters, client))
    }

    private func logoutHint(_ text: String, _ request: Request) throws -> HintedToken {
        switch try hintedToken(text, issuer: try issuer(request)) {
        case .success(let token): return token
        case .failure(let fault): throw PageRefusal(.logoutHintMalformed(fault.reason))
        }
    }

    private func logoutTarget(_ parameters: AuthorizationParameters, _ client: Client) throws -> String? {
        let own = client.metadata.postLogoutRedirectURL
        // Without a word the client's own. Source: Token Server documentation, “End session”.
        guard let uri = parameters["post_logout_redirect_uri"] ?? own else { return nil }
        let registered = (own.map { [$0] } ?? []) + (client.metadata.postLogoutRedirectURIs ?? [])
        guard
            RedirectURI.contains(uri, in: registered)
                || letsPass(uri, as: "post_logout_redirect_uri", of: client)
        else {
            throw PageRefusal(.logoutURIUnregistered(uri, registered: registered))
        }
        return AuthorizationTarget.appending(parameters["state"].map { [("state", $0)] } ?? [], to: uri)
    }
}

extension String {
    fileprivate var orNobody: String { isEmpty ? "nobody" : self }
}
