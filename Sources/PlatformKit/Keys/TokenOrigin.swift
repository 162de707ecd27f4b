import Crypto
import Essentials
package import HTTP

/// What a JWT that was refused says it is, and where it belongs. Nobody believes it, but whoever sent it wants to know.
///
/// Sources: RFC 9068 §2 (access tokens), OpenID Connect Core 1.0 §2 (ID tokens), RFC 7523 §3 (client assertions), RFC 9449 §4.2
/// (DPoP proofs).
package struct TokenOrigin: Sendable {
    private let header: JSONValue
    private let claims: JSONValue

    /// Nil for what is no JWT.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count <= 65_536, let header = Self.object(parts[0]),
            let claims = Self.object(parts[1])
        else { return nil }
        (self.header, self.claims) = (header, claims)
    }

    private static func object(_ text: Substring) -> JSONValue? {
        // Why it is no JSON does not matter: then it is no JWT.
        guard let bytes = Base64URL.decode(text), let value = try? JSONValue(parsing: bytes),
            value.object != nil
        else { return nil }
        return value
    }

    /// Whether the claims are those of an ID token.
    package var isIDToken: Bool { kind == .idToken }

    /// Whether it is of a known sort, and no session token.
    package var isTelling: Bool { kind != .session && kind != .other }

    private enum Kind {
        case accessToken, idToken, session, assertion, proof, logoutToken, other
    }

    private var kind: Kind {
        let type = header["typ"]?.string?.asciiLowercased ?? ""
        if type == "dpop+jwt" { return .proof }
        if claims["events"] != nil { return .logoutToken }
        if type == "at+jwt" || claims["scope"] != nil || claims["scp"] != nil || claims["client_id"] != nil {
            return .accessToken
        }
        if claims["session_id"] != nil { return .session }
        let subject = claims["sub"]?.string
        if subject != nil, subject == claims["iss"]?.string { return .assertion }
        let marks = ["nonce", "at_hash", "c_hash", "auth_time", "azp", "acr", "amr"]
        if marks.contains(where: { claims[$0] != nil }) { return .idToken }
        let isPlain = claims["iss"] != nil && subject != nil && claims["aud"] != nil && claims["exp"] != nil
        return isPlain ? .idToken : .other
    }

    private var kindWords: String {
        let audience = (claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.strings ?? [])
            .map { "“\($0.prefix(60))”" }.joined(separator: ", ")
        return switch kind {
        case .accessToken: "an access token"
        case .idToken:
            "an ID token" + (audience.isEmpty ? "" : " for the client \(audience)")
                + ", which tells a client who logged in; an API needs the access_token of the same answer"
        case .session: "a session token, which tells a back end who is logged in"
        case .assertion: "a client assertion, by which a client proves itself at a token endpoint"
        case .proof: "a DPoP proof; it belongs in the header field DPoP"
        case .logoutToken: "a logout token"
        case .other: "a JWT"
        }
    }

    /// What it is and where it belongs, without a full stop: “it is an access token of the world “blue”; …”.
    package func words(at request: Request) -> String { "it is " + kindWords + place(request) }

    private func place(_ request: Request) -> String {
        guard let issuer = claims["iss"]?.string, kind != .assertion else { return "" }
        guard let theirs = Place(issuer), let ours = Place(request.baseURL) else {
            return "; its issuer is “\(issuer.prefix(200))”, this server is \(request.baseURL)"
        }
        guard theirs.isHere(request) else {
            return "; it was issued by “\(issuer.prefix(200))”, this server is \(request.baseURL)"
        }
        if theirs.world != ours.world {
            return
                "; it was issued in the world “\(theirs.world.prefix(60))” and sent to the world “\(ours.world)”"
                + (theirs.platform == ours.platform ? "" : ", by /\(theirs.platform.prefix(60))")
        }
        if theirs.platform != ours.platform {
            return
                "; it was issued by /\(theirs.platform.prefix(60)) of this world and sent to /\(ours.platform)"
        }
        return issuer == request.baseURL ? "" : "; it was issued under the name “\(issuer.prefix(200))”"
    }
}

/// Where a base URL of ours leads: `http://localhost:8420/w/blue/oauth`, `http://blue--oauth.localhost:8420`.
private struct Place {
    /// Without port, lower case.
    let host: String
    let world: String
    let platform: String

    init?(_ url: String) {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        host =
            (authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" })
            .asciiLowercased
        var steps = rest.dropFirst(authority.count).split(separator: "/").map(String.init)
        var world = WorldName.standard
        if steps.first == "w", steps.count > 1 {
            world = steps[1]
            steps.removeFirst(2)
        }
        var platform = steps.first ?? ""
        if host.hasSuffix(".localhost") {
            let label = host.dropLast(".localhost".count)
            let parts = label.firstRange(of: "--")
            platform = parts.map { String(label[$0.upperBound...]) } ?? String(label)
            if let parts { world = String(label[..<parts.lowerBound]) }
        }
        (self.world, self.platform) = (world, platform)
    }

    /// Whether the host may be this very server under one of its names.
    func isHere(_ request: Request) -> Bool {
        guard let ours = Place(request.baseURL) else { return false }
        return host == ours.host || host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1"
            || host == "[::1"
    }
}
