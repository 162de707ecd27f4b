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
        let presented = try request.presentedToken(takingDPoP: settings().offersDPoP)
        let digest = try knownDigest(presented.text)
        let found = try database.read { db in
            try digest.flatMap { try accessTokens.find($0, in: db) }.map { token in
                (token, try isWornOut(token, in: db))
            }
        }
        guard let (token, isWornOut) = found else {
            throw BearerRefusal.unknown(reason: try whereabouts(of: presented.text, request))
        }
        try checkBinding(token, presented, request)
        let now = self.now
        if let end = token.end { throw BearerRefusal.ended(token, end, now: now) }
        guard now < token.expiresAt else { throw BearerRefusal.expired(token, now: now) }
        if let fault = fault(of: presented.text, token, at: now) {
            throw BearerRefusal.unknown(reason: "the JWT is signed by a key of ours, but " + fault)
        }
        token.subject.map(services.journal.concern)
        services.journal.concern(Subject(.grant, token.grantID))
        if isWornOut { throw BearerRefusal.wornOut(token) }
        if let scope, !token.scope.contains(scope) { throw BearerRefusal.scopeLacking(scope, token) }
        return token
    }

    /// Source: RFC 9449 §7.
    private func checkBinding(_ token: AccessToken, _ presented: PresentedToken, _ request: Request) throws {
        switch (token.proofKey, presented.isDPoP) {
        case (nil, false): return
        case (nil, true): throw BearerRefusal.unbound(token)
        case (_?, false): throw BearerRefusal.bound(token)
        case (_?, true): try requireProof(of: token, presented.text, request)
        }
    }

    /// What a text is that is no access token of this server, without a full stop.
    func whereabouts(of text: String, _ request: Request) throws -> String {
        let digest = Handle.digest(text)
        let (refresh, code) = try database.read { db in
            (try refreshTokens.find(digest, in: db), try codes.find(digest, in: db))
        }
        if let refresh {
            let grant = try database.read { db in try grants.find(refresh.grantID, in: db) }
            let user = grant?.subject.map { "user “\($0)” and " } ?? ""
            return
                "it is a refresh token of \(user)client “\(refresh.clientID)”, which only the token endpoint takes"
        }
        if let code {
            return
                "it is an authorization code of the client “\(code.clientID)”, to be traded at the token endpoint"
        }
        guard let origin = TokenOrigin(text) else {
            return
                "none has this text; it may be cut off, of another world or server, or forgotten for thousands of newer ones"
        }
        let words = origin.words(at: request)
        do {
            _ = try accessDigest(text)
            let fault = try fault(ofUnknown: text, issuer: issuer(request))
            return words + "; its signature is right, but " + (fault ?? "no token of this world has its jti")
        } catch let fault as ForeignToken {
            return origin.isIDToken ? words : words + "; \(fault)"
        }
    }

    /// The access token with this text, alive or not; nil for one that this server never issued, or whose signature is wrong.
    package func accessToken(_ text: String) throws -> AccessToken? {
        let digest: [UInt8]
        do {
            digest = try accessDigest(text)
        } catch is ForeignToken {
            return nil
        }
        guard let token = try database.read({ try accessTokens.find(digest, in: $0) }) else { return nil }
        return token.isAlive(at: now) && fault(of: text, token, at: now) != nil ? nil : token
    }

    /// Under which the row of an access token would stand.
    ///
    /// - Throws: ``ForeignToken`` for a JWT that this server did not sign.
    func accessDigest(_ text: String) throws -> [UInt8] {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return Handle.digest(text) }
        do {
            let keys = try publishedKeys()
            return Handle.digest(try JWS.verify(text, keys: keys).decode(TokenName.self).jti)
        } catch let error as JOSEError {
            throw ForeignToken(reason: error)
        }
    }
}

/// An access token as it came, and by which scheme. Sources: RFC 6750 §2; RFC 9449 §7.1.
private struct PresentedToken {
    let text: String
    let isDPoP: Bool
}

/// What of a JWT's claims is needed to find the rest in the database.
private struct TokenName: Decodable {
    let jti: String
}

extension Request {
    /// The access token in the request, whether it is one or not.
    fileprivate func presentedToken(takingDPoP: Bool) throws -> PresentedToken {
        let inHeader = headers.values(of: "Authorization")
        let inForm = method == .post && isForm ? form.values(of: "access_token") : []
        let isInQuery = query.map { Form($0)["access_token"] != nil } ?? false
        guard inHeader.count + inForm.count + (isInQuery ? 1 : 0) < 2 else { throw BearerRefusal.sentTwice }
        if let text = inForm.first, !text.isEmpty { return PresentedToken(text: text, isDPoP: false) }
        let parts = (inHeader.first ?? "").split(separator: " ", maxSplits: 1)
        // RFC 9110 §11.1: the scheme's case does not matter.
        let scheme = parts.first.map(String.init)
        let isDPoP = takingDPoP && scheme?.equalsIgnoringCase("DPoP") == true
        guard isDPoP || scheme?.equalsIgnoringCase("Bearer") == true, parts.count == 2
        else { throw BearerRefusal.missing(scheme: scheme, isInQuery: isInQuery, takesDPoP: takingDPoP) }
        return PresentedToken(text: String(parts[1]), isDPoP: isDPoP)
    }
}

/// A JWT that this server did not sign.
struct ForeignToken: Error, CustomStringConvertible {
    let reason: JOSEError

    /// A part of a sentence.
    var description: String { "as a JWT it is refused, because \(reason)" }
}
