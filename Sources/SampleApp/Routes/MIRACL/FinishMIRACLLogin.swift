import Essentials
import HTTP
import PlatformKit
import SQLite

extension SampleApp {
    /// `POST /authtoken`: an app brings the authorization code that its user's PIN was good for.
    ///
    /// - Request: `{"code", "userID"}`, whatever the content type says: the sample sends JSON as a form.
    /// - Response: `200` with the answer of the token endpoint.
    /// - Errors: `400` for a request that is none and for a code that is not good, `401` for a code of another user, which is spent by it,
    ///   and for an ID token that is wrong; `502` when MIRACL cannot be used. The body is a sentence for the user.
    /// - Source: MIRACL's samples for iOS and .NET.
    func tradeMIRACLCode(_ request: Request) throws -> Response {
        let (code, userID) = try codeInput(request)
        // Without a browser between there is no state; the redirect URI is what /authzurl would say here.
        let (claims, answer) = try trade(code, redirectURI: request.baseURL + "/login", request)
        if let nonce = claims.nonce {
            guard let login = try database.read({ try $0.first(MIRACLLogin.self, where: "nonce = \(nonce)") })
            else {
                throw MIRACLLoginError.tokenWrong(
                    "The nonce of the ID token does not belong to a login that began with POST /authzurl.")
            }
            guard try use(login) else {
                throw MIRACLLoginError.usedAlready
            }
        }
        guard userID == claims.sub || userID == claims.email else {
            throw MIRACLLoginError.userDiffers(got: claims.sub, asked: userID)
        }
        services.journal.event(
            "app login", about: claims.sub, "The user \(claims.sub) signed in with MIRACL in an app.")
        return Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: answer.bytes)
    }

    /// `GET /login`: MIRACL sends the browser back.
    ///
    /// - Request: `code` and `state`, or `error` and `state`, and the cookie `miracl_login`. Without any of it, somebody looked for a login.
    /// - Response: `303` to `/miracl` with a session.
    /// - Errors: `400` for a login that is unknown, of another browser, used or denied; `401` for an ID token that is wrong; `502` when
    ///   MIRACL cannot be used. All as pages.
    /// - Source: OpenID Connect Core 1.0 §3.1.2.5 to §3.1.3.7; MIRACL's sample for .NET.
    func finishMIRACLLogin(_ request: Request) throws -> Response {
        let query = request.queryItems
        guard let state = query["state"] else {
            return Response(status: .seeOther, headers: ["Location": request.mount + "/miracl"])
        }
        let settings = try self.settings(MIRACLSettings.kept, else: MIRACLSettings())
        let user = try onPage { try signedInUser(state: state, query, request) }
        let session = Session(
            id: makeSecret("app.session"), user: user,
            expiresAt: services.clock.now() + Double(settings.sessionSeconds))
        try begin(session)
        var response = redirect(
            request.mount + "/miracl", cookie: MIRACLCookie.session.set(session.id, request))
        response.headers.add("Set-Cookie", MIRACLCookie.login.clear(request))
        return response
    }

    private func signedInUser(state: String, _ query: Form, _ request: Request) throws -> String {
        guard let login = try database.read({ try $0.first(MIRACLLogin.self, where: "state = \(state)") })
        else {
            throw MIRACLLoginError.stateUnknown(isOfAnotherBrowser: false)
        }
        guard request.cookie(MIRACLCookie.login.rawValue) == login.browser else {
            throw MIRACLLoginError.stateUnknown(isOfAnotherBrowser: true)
        }
        if let error = query["error"] {
            throw MIRACLLoginError.denied(
                error.prefix(80) + ": " + (query["error_description"] ?? "no reason").prefix(200))
        }
        guard let code = query["code"] else {
            throw MIRACLLoginError.memberMissing("code", in: "the query code and state, or error and state")
        }
        guard try use(login) else {
            throw MIRACLLoginError.usedAlready
        }
        let (claims, _) = try trade(code, redirectURI: login.redirectURI, request)
        guard claims.nonce == login.nonce else {
            throw MIRACLLoginError.tokenWrong("The nonce of the ID token is not that of the login.")
        }
        return claims.sub
    }

    /// Trades the code for tokens, and checks the ID token among them.
    private func trade(
        _ code: String, redirectURI: String, _ request: Request
    ) throws -> (claims: IDTokenClaims, answer: JSONValue) {
        let settings = try self.settings(MIRACLSettings.kept, else: MIRACLSettings())
        let provider = provider(settings, request)
        let metadata = try provider.metadata()
        let answer = try provider.trade(code, redirectURI: redirectURI, metadata)
        guard let token = answer["id_token"]?.string else {
            throw MIRACLLoginError.providerConfused("The answer to the code has no ID token.")
        }
        let claims = try IDTokenClaims.check(
            token, keys: provider.keys(metadata), issuer: provider.issuer, clientID: settings.clientID,
            at: services.clock.now())
        return (claims, answer)
    }

    private func codeInput(_ request: Request) throws -> (code: String, userID: String) {
        let input: JSONValue
        do {
            input = try JSONValue(parsing: request.body)
        } catch let error as DecodingError {
            throw MIRACLLoginError.requestMalformed("The body is not JSON: \(error.sentence).")
        }
        guard let code = input["code"]?.string, !code.isEmpty else {
            throw MIRACLLoginError.memberMissing("code", in: Self.tradeShape)
        }
        guard let userID = input["userID"]?.string, !userID.isEmpty else {
            throw MIRACLLoginError.memberMissing("userID", in: Self.tradeShape)
        }
        return (code, userID)
    }

    private static let tradeShape =
        "{\"code\": \"…\", \"userID\": \"…\"}, both texts, whatever the content type says"
}
