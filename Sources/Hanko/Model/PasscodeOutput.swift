import Essentials
import PlatformKit

/// A passcode as the client sees it: everything but the code.
struct PasscodeOutput: Sendable {
    let id: String
    /// Seconds.
    let ttl: Int
    let createdAt: Date

    init(_ passcode: Passcode) {
        id = passcode.id
        ttl = passcode.ttlSeconds
        createdAt = passcode.createdAt
    }

    var json: JSONValue {
        ["id": .string(id), "ttl": .integer(ttl), "created_at": .string(Timestamp.text(createdAt, .trimmed))]
    }
}
