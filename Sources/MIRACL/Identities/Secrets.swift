import Essentials

/// What an identity's own secrets were made of: the client's key, if it has one, and the master shares.
struct Secrets: Codable, Sendable, Equatable {
    /// Hexadecimal; nil for an identity without a key pair.
    var publicKey: String?
    /// Which master shares.
    var dtas: String

    enum CodingKeys: String, CodingKey {
        case dtas
        case publicKey = "public_key"
    }
}
