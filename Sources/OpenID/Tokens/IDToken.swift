import Crypto
import Essentials
import JOSE

/// What an ID token says. Source: OpenID Connect Core 1.0 §2, §3.1.3.6, §12.2.
struct IDToken {
    /// `typ`
    static let type = "JWT"

    let client: Client
    let grant: Grant
    let now: Date
    /// What it says of the time at which it is issued, where that is another one.
    var issuedAt: Date?
    /// Of the user, by scope and on the client's wish.
    var claims: [String: JSONValue] = [:]
    /// Text of the access token that comes with it.
    var accessToken: String?
    /// Code that comes with it.
    var code: String?
    /// A repetition after a refresh has none. Source: OpenID Connect Core 1.0 §12.2.
    var nonce: String?

    func members(_ algorithm: JWSAlgorithm) -> [String: JSONValue] {
        // Whole seconds, rounded down: `iat` may not lie in the future.
        var members = claims
        members["iss"] = .string(grant.issuer)
        members["sub"] = .string(grant.subject ?? client.id)
        members["aud"] = .audience(audience)
        if audience.count > 1 { members["azp"] = .string(client.id) }
        members["iat"] = .integer((issuedAt ?? now).unixSeconds)
        members["exp"] = .integer((now + Double(client.idTokenSeconds)).unixSeconds)
        // Nobody logs in after the token was issued.
        let loggedInAt = grant.authenticatedAt.map { min($0, issuedAt ?? $0) }
        members["auth_time"] = (loggedInAt?.unixSeconds).map(JSONValue.integer)
        members["nonce"] = nonce.map(JSONValue.string)
        members["sid"] = grant.sessionID.map(JSONValue.string)
        members["acr"] = grant.acr.map(JSONValue.string)
        members["amr"] = grant.amr.isEmpty ? nil : JSONValue(grant.amr)
        members["at_hash"] = accessToken.map { .string(Self.halfHash($0, algorithm)) }
        members["c_hash"] = code.map { .string(Self.halfHash($0, algorithm)) }
        return members
    }

    private var audience: [String] {
        [client.id] + (client.metadata.idTokenAudiences ?? []).filter { $0 != client.id }
    }

    /// Base64url of the left half of the hash that the signature uses. Source: OpenID Connect Core 1.0 §3.1.3.6.
    static func halfHash(_ text: String, _ algorithm: JWSAlgorithm) -> String {
        let hash = algorithm.digest(Array(text.utf8))
        return Base64URL.encode(Array(hash.prefix(hash.count / 2)))
    }
}

extension JWSAlgorithm {
    /// The hash inside of the algorithm; Ed25519 uses SHA-512. Source: RFC 7518 §3.1, RFC 8032 §5.1.
    fileprivate var digest: Digest {
        switch self {
        case .hmac(let digest): digest
        case .keyPair(.rs384), .keyPair(.ps384), .keyPair(.es384): .sha384
        case .keyPair(.rs512), .keyPair(.ps512), .keyPair(.es512), .keyPair(.eddsa): .sha512
        case .keyPair: .sha256
        }
    }
}

extension JSONValue {
    /// One audience is a string, several are an array: some clients take nothing else. Source: RFC 7519 §4.1.3.
    static func audience(_ names: [String]) -> JSONValue {
        names.count == 1 ? .string(names[0]) : JSONValue(names)
    }
}
