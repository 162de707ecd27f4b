package import Crypto

package struct JWK: Sendable, Codable {
    package let kid: String
    package init(_ key: PrivateKey, kid: String, algorithm: JWSAlgorithm) throws { self.kid = kid }
}

package enum JWSAlgorithm: String, Sendable, Codable, CaseIterable { case rs256 = "RS256", es256 = "ES256" }
