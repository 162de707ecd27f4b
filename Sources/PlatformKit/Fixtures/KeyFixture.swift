import SQLite

/// One entry of the section `keys`: a signing key of a platform. Of several keys of one algorithm the last one signs, or the last
/// one that is not the next; all of them are published.
struct KeyFixture: Codable, Sendable {
    static let section = "keys"

    enum State: String, Codable, CaseIterable {
        /// Published ahead of its time: it signs after the next rotation.
        case next
    }

    /// Key identifier, as tokens and the JWKS name it.
    let kid: String
    /// JWS algorithm with a key pair, such as `RS256` or `ES256`.
    let algorithm: String
    /// The platform that signs with it.
    let platform: String
    /// The tenant of that platform whose key it is; nil for one of all tenants that have none of their own of the algorithm.
    var tenant: String?
    /// Nil for a key that signs, or did.
    var state: State?
    /// Private key in PEM (PKCS #8), line by line.
    let pem: [String]

    enum CodingKeys: String, CodingKey {
        case kid
        case algorithm = "alg"
        case platform = "for"
        case tenant
        case state
        case pem
    }
}

extension KeyFixture: RowDecodable {
    init(row: Row) throws {
        kid = try row.text("kid")
        algorithm = try row.text("algorithm")
        platform = try row.text("platform")
        tenant = try row.optionalText("tenant")
        state = try row.optionalText("state").flatMap(State.init(rawValue:))
        pem = try row.text("pem").split(separator: "\n").map(String.init)
    }
}
