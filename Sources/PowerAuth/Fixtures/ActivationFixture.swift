import Essentials

/// An activation in a fixture file.
struct ActivationFixture: Codable, Sendable {
    /// UUID in lower case.
    var id: String
    var application: String
    var user: String
    /// `ACTIVE` when left out.
    var state: Activation.State?
    var blockedReason: String?
    var flags: [String]?
    /// `XXXXX-XXXXX-XXXXX-XXXXX`
    var code: String?
    /// 300 s after `createdAt` when left out.
    var expiresAt: Date?
    /// `ON_COMMIT` when left out.
    var commitPhase: Activation.CommitPhase?
    /// For convenience; an exported activation has salt and digest instead.
    var otp: String?
    /// Hexadecimal
    var otpSalt: String?
    /// SHA-256 of salt and OTP in hexadecimal.
    var otpDigest: String?
    var otpFailures: Int?
    var failedAttempts: Int?
    /// 5 when left out.
    var maxFailedAttempts: Int?
    /// KEY_SERVER: the scalar of 32 bytes in Base64.
    var serverKey: String
    /// KEY_DEVICE: the point, compressed or not, in Base64; not before the key exchange.
    var devicePublicKey: String?
    /// CTR_DATA that comes next: 16 bytes in Base64; not before the key exchange.
    var counterData: String?
    /// Steps that it has made. 0 when left out.
    var counter: Int?
    var name: String?
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var externalID: String?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    /// `createdAt` when left out.
    var lastUsedAt: Date?
    /// `createdAt` when left out.
    var changedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, application, user, state, flags, code, otp, counter, name, platform, extras
        case blockedReason = "blocked_reason"
        case expiresAt = "expires_at"
        case commitPhase = "commit_phase"
        case otpSalt = "otp_salt"
        case otpDigest = "otp_digest"
        case otpFailures = "otp_failures"
        case failedAttempts = "failed_attempts"
        case maxFailedAttempts = "max_failed_attempts"
        case serverKey = "server_key"
        case devicePublicKey = "device_public_key"
        case counterData = "counter_data"
        case deviceInfo = "device_info"
        case externalID = "external_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case changedAt = "changed_at"
    }
}
