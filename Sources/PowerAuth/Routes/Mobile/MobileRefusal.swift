import Essentials
import HTTP
import PlatformKit

/// A refusal of the mobile protocol. The client hears code and message, the journal a sentence.
struct MobileRefusal: PowerAuthRefusal {
    let kind: Kind
    /// Which PUK the user has to enter next, counted from 1; of ``Kind/recovery`` alone.
    let currentPUKIndex: Int?
    private let reason: Reason

    private enum Reason: Sendable {
        case text(String)
        /// Asked for its explanation when the journal wants it, after the transaction: finding it may take milliseconds.
        case refusal(any Refusal)
    }

    init(_ kind: Kind, _ explanation: String, currentPUKIndex: Int? = nil) {
        (self.kind, self.currentPUKIndex, reason) = (kind, currentPUKIndex, .text(explanation))
    }

    /// A refusal of another room, in the words of the mobile protocol.
    init(_ kind: Kind, because refusal: any Refusal) {
        (self.kind, currentPUKIndex, reason) = (kind, nil, .refusal(refusal))
    }

    /// The refusal of another room, where it is one.
    var cause: (any Refusal)? {
        if case .refusal(let refusal) = reason { refusal } else { nil }
    }

    var explanation: String {
        switch reason {
        case .text(let text): text
        case .refusal(let refusal): refusal.explanation
        }
    }

    var wire: WireError {
        var wire = kind.wire
        wire.members["currentRecoveryPukIndex"] = currentPUKIndex.map(JSONValue.integer)
        return wire
    }
}

extension MobileRefusal {
    /// What failed, and how it is told.
    struct Kind: Sendable {
        let wire: WireError
        /// To a server in front of this one.
        let managementCode: ManagementCode

        private init(
            _ status: Status, _ code: String, _ message: String,
            _ managementCode: ManagementCode = .invalidRequest
        ) {
            (wire, self.managementCode) = (WireError(status, code, message), managementCode)
        }

        private static func unauthorized(
            _ message: String, _ managementCode: ManagementCode = .invalidRequest
        ) -> Self {
            Self(.unauthorized, "ERR_AUTHENTICATION", message, managementCode)
        }
    }
}

/// Source: PowerAuth documentation, “Standard RESTful API”, and what servers of generation 1 send.
extension MobileRefusal.Kind {
    /// - Parameter generation: of the servers whose messages are sent: 1, or 2, which speaks of codes instead of signatures.
    static func signatureInvalid(_ generation: Int) -> Self {
        unauthorized(generation < 2 ? "POWER_AUTH_SIGNATURE_INVALID" : "POWER_AUTH_CODE_INVALID")
    }

    static func signatureTypeInvalid(_ generation: Int) -> Self {
        unauthorized(generation < 2 ? "POWER_AUTH_SIGNATURE_TYPE_INVALID" : "POWER_AUTH_CODE_TYPE_INVALID")
    }

    /// - Parameter rule: the one that a member breaks.
    static func validation(_ rule: String) -> Self { Self(.badRequest, "ERR_VALIDATION", rule) }

    static let passwordChange = Self(
        .badRequest, "ERR_PASSWORD_CHANGE", "POWER_AUTH_PASSWORD_CHANGE_FAILURE")
    static let biometry = Self(.badRequest, "ERR_BIOMETRY", "POWER_AUTH_BIOMETRY_FAILURE")
    static let status = Self(.badRequest, "ERR_STATUS", "POWER_AUTH_STATUS_ERROR")
    static let tokenInvalid = unauthorized("POWER_AUTH_TOKEN_INVALID")
    static let tokenFailed = unauthorized("POWER_AUTH_TOKEN_ERROR")
    static let requestInvalid = unauthorized("POWER_AUTH_REQUEST_INVALID")
    static let recoveryConfirmation = unauthorized("POWER_AUTH_RECOVERY_CONFIRM_ERROR", .recoveryCodeUnknown)
    static let activation = Self(.badRequest, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
    static let recovery = Self(
        .badRequest, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID", .recoveryCodeInvalid)
    /// A wrong PUK of a code that can still be used, which a server in front is told by a code of its own.
    static let recoveryPUK = Self(
        .badRequest, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID", .recoveryPUKInvalid)
    static let vault = Self(.badRequest, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID")
    static let encryption = Self(.badRequest, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
    static let upgrade = Self(.badRequest, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", .activationState)
    static let userInfo = Self(.badRequest, "ERR_USER_INFO", "POWER_AUTH_USER_INFO_ERROR")
    static let temporaryKey = Self(
        .badRequest, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", .temporaryKeyMissing)
}
