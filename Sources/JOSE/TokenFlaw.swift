package import Crypto
import Essentials
import Synchronization

/// What is wrong with a token on purpose: one thing, everything else being right.
///
/// Sources: RFC 7519 §4.1 (claims), RFC 8725 §2.1, §3.11 (algorithms, types), RFC 7515 §4.1.4 (`kid`).
package enum TokenFlaw: String, Codable, CaseIterable, Sendable {
    case expired
    case notYetValid = "not_yet_valid"
    case wrongKey = "wrong_key"
    case unknownKeyID = "unknown_kid"
    case wrongAudience = "wrong_audience"
    case wrongIssuer = "wrong_issuer"
    case wrongType = "wrong_type"
    case unsigned = "alg_none"
    case publicKeyAsSecret = "hs256_public_key"
    case damagedSignature = "damaged_signature"

    /// A sentence about the token, with a full stop.
    package var explanation: String {
        switch self {
        case .expired: "The token has expired: its times lie in the past, exp by an hour."
        case .notYetValid: "The token is not valid yet: nbf lies an hour ahead."
        case .wrongKey: "The token is signed by another key than the one whose kid it names."
        case .unknownKeyID: "The token names a kid that no key set has; its signature is right."
        case .wrongAudience: "The token is meant for somebody else: aud is “\(Self.elsewhere)”."
        case .wrongIssuer: "The token says that somebody else issued it: iss is “\(Self.elsewhere)”."
        case .wrongType: "The token says that it is of another type: typ is that of another kind of token."
        case .unsigned: "The token is not signed: alg is “none”, and its signature is empty."
        case .publicKeyAsSecret:
            "The token is signed with HS256, and the secret is the public key as PEM, which everybody has."
        case .damagedSignature: "One bit of the token's signature is wrong."
        }
    }

    /// Audience and issuer of tokens that do not belong here. Source: RFC 2606 §2.
    package static let elsewhere = "https://elsewhere.invalid"

    /// Seconds by which a time is wrong: more than anybody's leeway.
    private static let seconds = 3_600
}

extension TokenFlaw {
    /// A token that has this flaw.
    ///
    /// - Parameters:
    ///   - claims: a JSON object, as a good token would have it.
    ///   - key: the private key that would sign the good one.
    ///   - now: whole seconds since 1970.
    package func sign(
        _ claims: [UInt8], header: JWSHeader, key: PrivateKey, at now: Int
    ) throws -> String {
        var header = header
        switch self {
        case .expired, .notYetValid, .wrongAudience, .wrongIssuer:
            let claims = try changed(JSONValue(parsing: claims), at: now).bytes
            return try JWS.sign(claims, header: header, key: .privateKey(key))
        case .wrongKey:
            return try JWS.sign(claims, header: header, key: .privateKey(Strangers.key(like: key)))
        case .unknownKeyID:
            header.keyID = "unknown-" + (header.keyID ?? "key")
        case .wrongType:
            // RFC 9068 §2.1: what an access token is called, and what it must not be called.
            header.type = header.type == nil || header.type == "JWT" ? "at+jwt" : "JWT"
        case .unsigned:
            return JWS.unsigned(claims, header)
        case .publicKeyAsSecret:
            header.algorithm = .hs256
            return try JWS.sign(claims, header: header, key: .secret(Array(key.publicKey.pem().utf8)))
        case .damagedSignature:
            return JWS.damaged(try JWS.sign(claims, header: header, key: .privateKey(key)))
        }
        return try JWS.sign(claims, header: header, key: .privateKey(key))
    }

    private func changed(_ claims: JSONValue, at now: Int) -> JSONValue {
        guard var members = claims.object else { return claims }
        switch self {
        case .expired:
            // All times together, so that the lifetime remains what it was.
            let shift = now - Self.seconds - (members["exp"]?.integer ?? now)
            for name in ["exp", "nbf", "iat", "auth_time"] {
                members[name] = members[name]?.integer.map { .integer($0 + shift) }
            }
            members["exp"] = .integer(now - Self.seconds)
        case .notYetValid:
            let left = (members["exp"]?.integer ?? now) - now
            members["nbf"] = .integer(now + Self.seconds)
            members["exp"] = .integer(now + Self.seconds + max(left, 1))
        case .wrongAudience:
            members["aud"] =
                members["aud"]?.array == nil ? .string(Self.elsewhere) : [.string(Self.elsewhere)]
        case .wrongIssuer:
            members["iss"] = .string(Self.elsewhere)
        default: break
        }
        return .object(members)
    }
}

extension JWS {
    /// The serialization of what nobody signed. Source: RFC 7519 §6.1.
    fileprivate static func unsigned(_ payload: [UInt8], _ header: JWSHeader) -> String {
        let json = header.json.replacing(
            "\"alg\":\"\(header.algorithm.name)\"", with: "\"alg\":\"none\"", maxReplacements: 1)
        return Base64URL.encode(Array(json.utf8)) + "." + Base64URL.encode(payload) + "."
    }

    /// The token with another bit in the middle of its signature.
    fileprivate static func damaged(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."),
            var signature = Base64URL.decode(token[token.index(after: dot)...]), !signature.isEmpty
        else { return token }
        signature[signature.count / 2] ^= 1
        return token[...dot] + Base64URL.encode(signature)
    }
}

/// Keys of nobody. They are made when the first wrong token asks for one, and serve until the process ends: an RSA key takes a fifth
/// of a second.
private enum Strangers {
    private static let keys = Mutex<[(kind: KeyKind, key: PrivateKey)]>([])

    static func key(like key: PrivateKey) throws -> PrivateKey {
        try keys.withLock { keys in
            if let kept = keys.first(where: { $0.kind == key.kind }) { return kept.key }
            let made = try PrivateKey.generate(key.kind)
            keys.append((key.kind, made))
            return made
        }
    }
}
