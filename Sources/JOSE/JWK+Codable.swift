import Crypto

extension JWK: Codable {
    private enum CodingKeys: String, CodingKey {
        case keyID = "kid"
        case algorithm = "alg"
        case use
    }

    /// - Throws: `DecodingError` that says which member is wrong and why.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keyID = try container.decodeIfPresent(String.self, forKey: .keyID)
        algorithm = try container.decodeIfPresent(String.self, forKey: .algorithm)
        use = try container.decodeIfPresent(String.self, forKey: .use)
        do {
            material = try WireKey(from: decoder).material()
        } catch let error as JOSEError {
            throw Self.corrupted(decoder, error.description)
        } catch let error as CryptoError {
            throw Self.corrupted(decoder, error.description)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try WireKey(material).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(keyID, forKey: .keyID)
        try container.encodeIfPresent(algorithm, forKey: .algorithm)
        try container.encodeIfPresent(use, forKey: .use)
    }

    private static func corrupted(_ decoder: any Decoder, _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
}
