import Essentials
import HTTP
import PlatformKit

/// A refusal of the mobile protocol. The client hears code and message, the journal a sentence.
struct MobileRefusal: PowerAuthRefusal {
    /// Names say what failed.
    enum Kind: Sendable, Equatable, CaseIterable {
        case signatureInvalid, signatureTypeInvalid, tokenInvalid, tokenFailed, requestInvalid
        case recoveryConfirmation, activation, recovery, vault, encryption, upgrade, userInfo, temporaryKey

        /// Source: PowerAuth documentation, «Standard RESTful API», and what servers of generation 1 send.
        var wire: WireError {
            switch self {
            case .signatureInvalid: unauthorized("POWER_AUTH_SIGNATURE_INVALID")
            case .signatureTypeInvalid: unauthorized("POWER_AUTH_SIGNATURE_TYPE_INVALID")
            case .tokenInvalid: unauthorized("POWER_AUTH_TOKEN_INVALID")
            case .tokenFailed: unauthorized("POWER_AUTH_TOKEN_ERROR")
            case .requestInvalid: unauthorized("POWER_AUTH_REQUEST_INVALID")
            case .recoveryConfirmation: unauthorized("POWER_AUTH_RECOVERY_CONFIRM_ERROR")
            case .activation: WireError(.badRequest, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
            case .recovery: WireError(.badRequest, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID")
            case .vault: WireError(.badRequest, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID")
            case .encryption: WireError(.badRequest, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
            case .upgrade: WireError(.badRequest, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED")
            case .userInfo: WireError(.badRequest, "ERR_USER_INFO", "POWER_AUTH_USER_INFO_ERROR")
            case .temporaryKey:
                WireError(.badRequest, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE")
            }
        }

        /// Where generation 2 sends another message.
        fileprivate var newerMessage: String? {
            switch self {
            case .signatureInvalid: "POWER_AUTH_CODE_INVALID"
            case .signatureTypeInvalid: "POWER_AUTH_CODE_TYPE_INVALID"
            default: nil
            }
        }

        private func unauthorized(_ message: String) -> WireError {
            WireError(.unauthorized, "ERR_AUTHENTICATION", message)
        }
    }

    let kind: Kind
    /// Of the servers whose messages are sent: 1, or 2, which speaks of codes instead of signatures.
    var generation = 1
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
        if generation >= 2, let message = kind.newerMessage { wire.message = message }
        wire.members["currentRecoveryPukIndex"] = currentPUKIndex.map(JSONValue.integer)
        return wire
    }
}

extension Result where Failure: Refusal {
    /// The success, or the refusal in the words of the mobile protocol.
    func orRefuse(as kind: MobileRefusal.Kind = .signatureInvalid) throws -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let refusal): throw MobileRefusal(kind, because: refusal)
        }
    }
}
