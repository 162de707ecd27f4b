import Crypto
import Essentials
import PlatformKit
import SQLite

/// A key of the server for encrypted requests of protocol 3.3, or a secret shared with it in 4.0, bound to whom it was given. It lives for minutes and is not exported.
struct TemporaryKey: Record, Equatable {
    /// It is kept ten minutes beyond its time, so that its use can be explained.
    static let table = Table("powerauth_temporary_key", limit: 10_000, keptSeconds: 600)

    /// Version 4 UUID in lower case.
    let id: String
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Nil in application scope.
    let activation: String?
    /// Private key of P-256, or of 4.0 the secret; 32 bytes.
    let scalar: [UInt8]
    /// Of 4.0; nil for a key of 3.3.
    var suite: V4.Suite?
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, activation, scalar, suite
        case applicationKey = "application_key"
        case expiresAt = "expires_at"
    }
}
