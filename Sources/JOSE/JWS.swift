import Crypto

/// The compact serialization of a signed payload. Source: RFC 7515 §3.1, §5.
package enum JWS {
    /// A token whose signature was found right.
    package struct Verified: Sendable, Equatable {
        package let header: JWSHeader
        package let payload: [UInt8]

        /// The payload read as JSON.
        ///
        /// - Throws: ``JOSEError/malformed(part:reason:)``.
        package func decode<Claims: Decodable>(_ type: Claims.Type) throws -> Claims {
            try decodeJSON(type, payload, part: "payload")
        }
    }

    /// - Throws: ``JOSEError`` when the key is not for the algorithm or has no private part.
    package static func sign(_ payload: [UInt8], header: JWSHeader, key: KeyMaterial) throws -> String {
        try sign(payload, header: header.encoded, key: key)
    }

    /// The same, for a header that stands before many tokens.
    package static func sign(_ payload: [UInt8], header: EncodedHeader, key: KeyMaterial) throws -> String {
        guard key.suits(header.algorithm) else {
            throw JOSEError.algorithmNotAllowed(header.algorithm.name, key: key.summary)
        }
        var token = header.text
        token.reserveCapacity(token.count + payload.count * 4 / 3 + 360)
        token.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &token)
        let signature = try signature(of: token, header.algorithm, key)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Finds the key that the header names, or, when it names none, tries those that suit the algorithm.
    ///
    /// - Throws: ``JOSEError``.
    package static func verify(_ token: String, keys: [JWK]) throws -> Verified {
        let parts = try Parts(token)
        let header = try JWSHeader(json: parts.header)
        let candidates = try candidates(for: header, in: keys)
        guard candidates.contains(where: { parts.isSigned(header.algorithm, $0.material) }) else {
            throw JOSEError.signatureWrong(keyID: candidates.count == 1 ? candidates[0].keyID : header.keyID)
        }
        return Verified(header: header, payload: parts.payload)
    }

    private static func signature(
        of input: [UInt8], _ algorithm: JWSAlgorithm, _ key: KeyMaterial
    ) throws -> [UInt8] {
        switch (algorithm, key) {
        case (.hmac(let digest), .secret(let secret)): digest.authenticationCode(of: input, key: secret)
        case (.keyPair(let algorithm), .privateKey(let key)): try key.sign(input, with: algorithm)
        default: throw JOSEError.keyCannotSign(key.summary)
        }
    }

    private static func candidates(for header: JWSHeader, in keys: [JWK]) throws -> [JWK] {
        let named = header.keyID.map { keyID in keys.filter { $0.keyID == keyID } } ?? keys
        let suitable = named.filter { $0.suits(header.algorithm) }
        if !suitable.isEmpty { return suitable }
        if header.keyID != nil, let key = named.first {
            throw JOSEError.algorithmNotAllowed(header.algorithm.name, key: key.summary)
        }
        throw JOSEError.keyUnknown(keyID: header.keyID, known: keys.map(\.summary))
    }
}

extension JWS {
    /// The three parts of a token, decoded.
    private struct Parts {
        let header: [UInt8]
        let payload: [UInt8]
        let signature: [UInt8]
        /// What was signed: header and payload as they stand in the token.
        let input: [UInt8]

        init(_ token: String) throws {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3 else {
                let reason = "\(parts.count) parts between dots instead of 3"
                throw JOSEError.malformed(part: "token", reason: reason)
            }
            header = try Self.decode(parts[0], "header")
            payload = try Self.decode(parts[1], "payload")
            signature = try Self.decode(parts[2], "signature")
            input = Array(token.utf8.dropLast(parts[2].utf8.count + 1))
        }

        func isSigned(_ algorithm: JWSAlgorithm, _ key: KeyMaterial) -> Bool {
            switch (algorithm, key) {
            case (.hmac(let digest), .secret(let secret)):
                digest.isAuthenticationCode(signature, of: input, key: secret)
            case (.keyPair(let algorithm), .publicKey(let key)):
                key.isValid(signature, for: input, with: algorithm)
            case (.keyPair(let algorithm), .privateKey(let key)):
                key.publicKey.isValid(signature, for: input, with: algorithm)
            default: false
            }
        }

        private static func decode(_ text: Substring, _ part: String) throws -> [UInt8] {
            guard let bytes = Base64URL.decode(text) else {
                throw JOSEError.malformed(part: part, reason: "not base64url without padding")
            }
            return bytes
        }
    }
}
