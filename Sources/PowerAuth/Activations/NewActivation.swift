import Essentials

/// What a back end asks for when it starts a registration.
struct NewActivation: Sendable {
    var user: String
    var application: String
    var flags: [String] = []
    var otp: String?
    var commitPhase = Activation.CommitPhase.onCommit
    /// Now and the settings' validity when nil.
    var expiresAt: Date?
    /// The settings' when nil.
    var maxFailedAttempts: Int?
    /// False for one that a device makes without a code (CUSTOM, DIRECT, RECOVERY).
    var hasCode = true
}
