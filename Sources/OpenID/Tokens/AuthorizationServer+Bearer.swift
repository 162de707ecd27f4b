import Crypto
import Essentials
package import HTTP
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The access token that the request carries, alive.
    ///
    /// It comes in the header field, or in the form of a `POST`. Source: RFC 6750 §2.1, §2.2.
    ///
    /// - Parameter scope: what it must be good for.
    /// - Throws: what RFC 6750 §3.1 says.
    package func requireAccessToken(_ request: Request, scope: String? = nil) throws -> AccessToken {
        let digest = try accessDigest(request.bearerText())
        let found = try database.read { db in
            try tokens.access(digest, in: db).map { token in (token, try isWornOut(token, in: db)) }
        }
        guard let (token, isWornOut) = found else {
            throw BearerRefusal.unknown(
                reason:
                    "none has this text; it may be cut off, a refresh token, of another world or server, or forgotten for thousands of newer ones"
            )
        }
        let now = self.now
        if let end = token.end { throw BearerRefusal.ended(token, end, now: now) }
        guard now < token.expiresAt else { throw BearerRefusal.expired(token, now: now) }
        if isWornOut { throw BearerRefusal.wornOut(token) }
        if let scope, !token.scope.contains(scope) { throw BearerRefusal.scopeLacking(scope, token) }
        return token
    }

    /// The access token with this text, alive or not; nil for one that this server never issued, or whose signature is wrong.
    package func accessToken(_ text: String) throws -> AccessToken? {
        let digest: [UInt8]
        do {
            digest = try accessDigest(text)
        } catch is BearerRefusal {
            return nil
        }
        return try database.read { try tokens.access(digest, in: $0) }
    }

    /// Under which the row of an access token would stand.
    ///
    /// - Throws: ``BearerRefusal/unknown(reason:)`` for a JWT that this server did not sign.
    func accessDigest(_ text: String) throws -> [UInt8] {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return Handle.digest(text) }
        do {
            let keys = try publishedKeys()
            return Handle.digest(try JWS.verify(text, keys: keys).decode(TokenName.self).jti)
        } catch let error as JOSEError {
            throw BearerRefusal.unknown(reason: "as a JWT it is refused, because \(error)")
        }
    }
}

/// What of a JWT's claims is needed to find the rest in the database.
private struct TokenName: Decodable {
    let jti: String
}

extension Request {
    /// The text of the access token in the request, whether it is one or not.
    fileprivate func bearerText() throws -> String {
        let inHeader = headers.values(of: "Authorization")
        let inForm = method == .post && isForm ? form.values(of: "access_token") : []
        let isInQuery = query.map { Form($0)["access_token"] != nil } ?? false
        guard inHeader.count + inForm.count + (isInQuery ? 1 : 0) < 2 else { throw BearerRefusal.sentTwice }
        if let text = inForm.first, !text.isEmpty { return text }
        let parts = (inHeader.first ?? "").split(separator: " ", maxSplits: 1)
        // RFC 9110 §11.1: the scheme's case does not matter.
        guard let scheme = parts.first.map(String.init), scheme.equalsIgnoringCase("Bearer"), parts.count == 2
        else { throw BearerRefusal.missing(scheme: parts.first.map(String.init), isInQuery: isInQuery) }
        return String(parts[1])
    }

    /// Whether the body is labelled as a form; parameters such as a charset do not matter.
    var isForm: Bool {
        let type = (headers["Content-Type"] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        return String(Substring(type)).equalsIgnoringCase("application/x-www-form-urlencoded")
    }
}
