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
