import Essentials

/// A passcode as the client sees it: everything but the code.
struct PasscodeOutput: Encodable, Sendable {
    let id: String
    /// Seconds.
    let ttl: Int
    let createdAt: Date

    init(_ passcode: Passcode) {
        id = passcode.id
        ttl = passcode.ttlSeconds
        createdAt = passcode.createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, ttl
        case createdAt = "created_at"
    }
}
