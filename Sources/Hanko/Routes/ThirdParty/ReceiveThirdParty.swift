import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /thirdparty/callback`: the browser comes back from the provider.
    ///
    /// - Request: `code` and `state`, or `error` and `error_description`; the cookie `hanko_thirdparty_state` unless PKCE binds the
    ///   sign-in.
    /// - Response: `307` to the `redirect_to` of the start with `hanko_token`, good for one minute; the cookie is cleared.
    /// - Errors: every one is a `307` with `error` and `error_description`: for flows to `redirect_to`, else to
    ///   `error_redirect_url`; 400 where neither is known.
    /// - Source: Hanko 2.7.
    func receiveThirdParty(_ request: Request) throws -> Response {
        let query = Form(request.query ?? "")
        var state: ThirdPartyState?
        do {
            let taken = try takeState(query["state"])
            state = taken
            try check(taken, query, request)
            let provider = try configuration().thirdParty.enabledProvider(taken.provider)
            guard let code = query["code"], !code.isEmpty else { throw ThirdPartyRefusal.codeMissing }
            let account = try thirdPartyDesk().account(code, taken, provider, request)
            let token = try link(account, provider, taken, telling: announcer(request))
            var response = Self.thirdPartyRedirect(
                taken.redirectTo + (taken.redirectTo.contains("?") ? "&" : "?") + "hanko_token="
                    + token.value.percentEncoded)
            response.headers.add(
                "Set-Cookie",
                "\(ThirdPartyDesk.cookieName)=; Path=/; Max-Age=0; HttpOnly; Secure; "
                    + "SameSite=\(taken.isFlow ? "None" : "Lax")")
            return response
        } catch let fault as ThirdPartyRefusal {
            let errorURL = try configuration().thirdParty.errorRedirectURL
            let place = state.flatMap { $0.isFlow ? $0.redirectTo : errorURL ?? $0.redirectTo }
            return try endThirdParty(fault, request, redirectTo: place ?? errorURL)
        }
    }

    /// `POST /thirdparty/callback`: the same by a form, as Apple sends it.
    ///
    /// - Request: the form of ``receiveThirdParty(_:)``.
    /// - Response: `303` to the GET with the form's members.
    /// - Errors: none; the GET has them.
    /// - Source: Hanko 2.7.
    func receiveThirdPartyForm(_ request: Request) throws -> Response {
        let form = Form(String(decoding: request.body, as: UTF8.self))
        let members = ["code", "state", "error", "error_description", "user"].compactMap { name in
            form[name].map { (name: name, value: $0) }
        }
        return Self.thirdPartyRedirect(
            request.baseURL + "/thirdparty/callback?" + Form.encode(members), status: .seeOther)
    }

    private func takeState(_ text: String?) throws -> ThirdPartyState {
        guard let text, !text.isEmpty else { throw ThirdPartyRefusal.stateMissing }
        guard let state = try world.change({ try $0.take(ThirdPartyState.self, where: "state = \(text)") })
        else {
            throw ThirdPartyRefusal.stateUnknown
        }
        return state
    }

    private func check(_ state: ThirdPartyState, _ query: Form, _ request: Request) throws {
        let secondsOver = services.clock.now().timeIntervalSince(state.expiresAt)
        if secondsOver >= 0 { throw ThirdPartyRefusal.stateExpired(seconds: Int(saturating: secondsOver)) }
        if state.codeVerifier == nil {
            let cookie = request.cookie(ThirdPartyDesk.cookieName)
            guard let cookie, constantTimeEqual(Array(cookie.utf8), Array(state.state.utf8)) else {
                throw ThirdPartyRefusal.cookieWrong(came: cookie != nil)
            }
        }
        if let error = query["error"] {
            throw ThirdPartyRefusal.providerRefused(error, description: query["error_description"] ?? "")
        }
    }

    private func link(
        _ account: ThirdPartyAccount, _ provider: ThirdPartyProvider, _ state: ThirdPartyState,
        telling announcer: Announcer
    ) throws -> ThirdPartyToken {
        let entropy = services.entropy
        return try world.change { turn in
            let linker = ThirdPartyLinker(
                account: account, provider: provider, state: state, configuration: announcer.configuration,
                ids: (
                    entropy.uuid(for: "hanko.user"), entropy.uuid(for: "hanko.email"),
                    entropy.uuid(for: "hanko.identity")
                ), now: turn.now)
            let value = Base64URL.encode(entropy.bytes(24, "hanko.thirdparty.token"))
            let link = try linker.link(in: turn.db)
            let token = ThirdPartyToken(
                value: value, userID: link.userID, identityID: link.identityID, isFlow: state.isFlow,
                isNewUser: link.kind == .signedUp, codeVerifier: state.codeVerifier,
                expiresAt: turn.now.adding(seconds: ThirdPartyToken.lifespanSeconds))
            try turn.insert(token)
            try announcer.tell(link, account, provider, in: turn)
            return token
        }
    }
}

extension Announcer {
    fileprivate func tell(
        _ link: ThirdPartyLink, _ account: ThirdPartyAccount, _ provider: ThirdPartyProvider, in turn: Turn
    ) throws {
        let (type, fate): (AuditType, String) =
            switch link.kind {
            case .signedIn: (.thirdPartySigninSucceeded, "is the user \(link.userID)'s already")
            case .linked: (.thirdPartyLinkingSucceeded, "was linked to the user \(link.userID)")
            case .signedUp: (.thirdPartySignupSucceeded, "became the new user \(link.userID)")
            }
        turn.note(
            "third-party sign-in", about: account.address ?? link.userID,
            "The account \(account.subject) of \(provider.displayName) \(fate).")
        try audit(type, userID: link.userID, address: account.address, in: turn)
        if link.kind == .signedUp {
            try announce(.userCreate, userID: link.userID, in: turn)
        } else if link.newEmail != nil {
            try announce(.userUpdateEmailCreate, userID: link.userID, in: turn)
        }
    }
}
