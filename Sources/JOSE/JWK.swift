import Crypto

/// A JSON Web Key with what is said about it. Source: RFC 7517 §4.
package struct JWK: Sendable, Equatable {
    package let material: KeyMaterial
    /// `kid`
    package var keyID: String?
    /// `alg`: the only algorithm that the key is for, of JWS or JWE.
    package var algorithm: String?
    /// `use`: `sig` or `enc`.
    package var use: String?

    package init(
        _ material: KeyMaterial, keyID: String? = nil, algorithm: String? = nil, use: String? = nil
    ) {
        self.material = material
        self.keyID = keyID
        self.algorithm = algorithm
        self.use = use
    }

    /// The key without its private part; `nil` for a shared secret, which has no public one.
    package var publicHalf: JWK? {
        switch material {
        case .publicKey: self
        case .privateKey(let key):
            JWK(.publicKey(key.publicKey), keyID: keyID, algorithm: algorithm, use: use)
        case .secret: nil
        }
    }

    /// Whether signatures of the algorithm may be made or verified with this key.
    package func suits(_ name: JWSAlgorithm) -> Bool {
        material.suits(name) && (algorithm ?? name.name) == name.name && use != "enc"
    }

    /// The key in a message: what it is, its id, and what it is for.
    package var summary: String {
        material.summary + (keyID.map { " “\($0)”" } ?? "") + (algorithm.map { " for \($0)" } ?? "")
            + (use == "enc" ? " for encryption" : "")
    }

    /// Base64url of the SHA-256 of the required members. Source: RFC 7638 §3.
    package func thumbprint() throws -> String {
        let required = try WireKey(material).required
        let members = required.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        return Base64URL.encode(Digest.sha256(Array("{\(members)}".utf8)))
    }
}

/// A set of keys. Source: RFC 7517 §5.
package struct JWKS: Sendable, Equatable, Codable {
    package var keys: [JWK]

    package init(_ keys: [JWK]) {
        self.keys = keys
    }

    /// The keys that others may see: public halves, no secrets.
    package var published: JWKS { JWKS(keys.compactMap(\.publicHalf)) }

    /// The set as a JSON document with its members in the order of their names.
    package func json() throws -> [UInt8] { try encodeJSON(self) }
}
