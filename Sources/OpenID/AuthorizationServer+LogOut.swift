import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Ends a session without a browser; nothing happens when it is not there. Clients that listen at their server hear of it.
    package func endSession(_ id: String) throws {
        let end = try world.change { turn -> SessionEnd? in
            guard let session = try sessions.find(id, in: turn.db) else { return nil }
            return try self.end(session, in: turn.db)
        }
        if let end { try send(end.backChannel) }
    }

    /// Takes the session away, with the tokens that grew from it where the client says `delete_tokens_on_logout`.
    func end(_ session: BrowserSession, in db: Connection) throws -> SessionEnd {
        var end = SessionEnd()
        for part in session.clients ?? [] {
            let (id, issuer) = (part.clientID, part.issuer)
            guard let client = try clients.find(id, in: db) else { continue }
            if client.metadata.backchannelLogoutURI != nil {
                end.backChannel.append(
                    LogoutNotice(
                        client: client, issuer: issuer, subject: session.subject, sessionID: session.id))
            }
            if let uri = client.metadata.frontchannelLogoutURI {
                end.frontChannel.append(
                    AuthorizationTarget.appending([("iss", issuer), ("sid", session.id)], to: uri))
            }
            if client.metadata.vendor?["delete_tokens_on_logout"]?.boolean == true {
                try grants.end(
                    .init(clientID: id, sessionID: session.id), .loggedOut, at: now, in: db)
            }
        }
        try sessions.remove(session.id, in: db)
        return end
    }

    /// Puts logout tokens on their way; the browser does not wait for them.
    func send(_ notices: [LogoutNotice]) throws {
        for notice in notices {
            guard let uri = notice.client.metadata.backchannelLogoutURI else { continue }
            let body = Form.encode([("logout_token", try logoutToken(notice))])
            services.callbacks.send(
                Callback(
                    url: uri, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: Array(body.utf8), purpose: "back-channel logout of client \(notice.client.id)"))
        }
    }

    /// How long a logout token lasts. Source: OpenID Connect Back-Channel Logout 1.0 §2.4, “two minutes”.
    static let logoutTokenSeconds = 120

    /// Without `nonce`, so that it can never pass for an ID token. Source: OpenID Connect Back-Channel Logout 1.0 §2.4, §4.
    func logoutToken(_ notice: LogoutNotice, seconds: Int = logoutTokenSeconds) throws -> String {
        let claims: JSONValue = [
            "iss": .string(notice.issuer), "sub": .string(notice.subject), "aud": .string(notice.client.id),
            "iat": .integer(services.clock.issuingTime().unixSeconds),
            "exp": .integer(now.unixSeconds + seconds),
            "jti": .string(uuid(for: "logout_token.id")), "sid": .string(notice.sessionID),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        return try services.sign(
            claims, order("logout_token", user: notice.subject, client: notice.client.id),
            with: signingKey(notice.client.idTokenAlgorithm), type: "logout+jwt")
    }
}

extension AuthorizationServer {
    /// Reads an ID token of ours; one that has expired will do. Source: OpenID Connect Core 1.0 §3.1.2.1; RP-Initiated Logout 1.0
    /// §2, by both of which the server has to be its issuer.
    ///
    /// - Parameter issuer: as the request that brings it knows us.
    /// - Returns: its claims, or what is wrong with it, as part of a sentence.
    func hintedToken(_ text: String, issuer: String) throws -> Result<HintedToken, HintFault> {
        let keys = try services.keys.published(profile.name).map(\.jwk)
        do {
            let verified = try JWS.verify(text, keys: keys)
            if let type = verified.header.type, type.asciiLowercased.hasSuffix("+jwt") {
                return .failure(HintFault(reason: "its typ is \(type), expected JWT"))
            }
            let token = try verified.decode(HintedToken.self)
            guard try isOwnIssuer(token.iss, of: .init(subject: token.sub), expected: issuer) else {
                let found = token.iss.map { "“\($0.prefix(200))”" } ?? "missing"
                return .failure(
                    HintFault(reason: "its iss is \(found), expected “\(issuer)” of this world"))
            }
            return .success(token)
        } catch let error as JOSEError {
            return .failure(HintFault(reason: "\(error)"))
        }
    }
}
