import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// No token for a receiver: why, for the middle of a sentence.
struct AccessTokenRefused: Error, CustomStringConvertible {
    let description: String
}

extension PowerAuth {
    /// An access token for a receiver, kept until it expires. Source: RFC 6749 §4.4.
    ///
    /// Never inside a transaction: it calls the authorization server.
    func accessToken(_ settings: CallbackAuthentication.OAuth2, of callback: String) throws -> String {
        let now = services.clock.now()
        if let token = try database.read({ try CallbackHealth.of(callback, in: $0).token(at: now) }) {
            return token
        }
        let (token, seconds) = try fetchToken(settings)
        try database.write { db in
            try CallbackHealth.setToken(token, until: now + seconds, of: callback, in: db)
        }
        return token
    }

    private func fetchToken(_ settings: CallbackAuthentication.OAuth2) throws -> (String, Double) {
        guard let url = settings.tokenUri else {
            throw AccessTokenRefused(description: "its oauth2 settings have no tokenUri")
        }
        // RFC 6749 §2.3.1
        let proof = [settings.clientId, settings.clientSecret].map { ($0 ?? "").percentEncoded }
        var form = [(name: "grant_type", value: "client_credentials")]
        if let scope = settings.scope, !scope.isEmpty { form.append((name: "scope", value: scope)) }
        let response = try services.web.send(
            .post, url,
            [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": "Basic " + Base64.encode(Array(proof.joined(separator: ":").utf8)),
            ], Array(Form.encode(form).utf8))
        guard response.status == .ok, let body = try? JSONValue(parsing: response.bytes),
            let token = body["access_token"]?.string
        else {
            throw AccessTokenRefused(
                description: "\(url) gave no access token; it answered \(response.status.code) "
                    + "\(response.status.reason)")
        }
        // RFC 6749 §5.1 recommends the member; without it the token is used once.
        return (token, Double(body["expires_in"]?.integer ?? 0))
    }
}
