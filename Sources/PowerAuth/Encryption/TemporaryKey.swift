import Crypto
import Essentials
import PlatformKit
import SQLite

/// A key of the server for encrypted requests of protocol 3.3, bound to whom it was given. It lives for minutes and is not exported.
struct TemporaryKey: Record, Equatable {
    /// It is kept ten minutes beyond its time, so that its use can be explained.
    static let table = Table("powerauth_temporary_key", limit: 10_000, keptSeconds: 600)

    /// Version 4 UUID in lower case.
    let id: String
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Nil in application scope.
    let activation: String?
    /// Private key, 32 bytes.
    let scalar: [UInt8]
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, activation, scalar
        case applicationKey = "application_key"
        case expiresAt = "expires_at"
    }
}
