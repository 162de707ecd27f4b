import Essentials
import HTTP
import PlatformKit

/// A refusal of the Mobile Token API. The client hears code and message, the journal a sentence.
struct TokenAPIRefusal: PowerAuthRefusal {
    /// Names say what failed.
    enum Kind: Sendable, Equatable, CaseIterable {
        case requestInvalid, applicationInvalid, authenticationFailed, deviceUnverified
        case operationInvalid, operationFinished, operationOverFailed, operationCanceled, operationExpired
        case flagMissing, attemptFailed
        case activationCodeFailed, inboxFailed, configurationMissing, notFound

        /// Source: Mobile Token documentation, and what its published server sends.
        var wire: WireError {
            switch self {
            case .requestInvalid: bad("INVALID_REQUEST", "Invalid request")
            case .applicationInvalid: bad("INVALID_APPLICATION", "Invalid application")
            case .authenticationFailed:
                WireError(.unauthorized, "POWERAUTH_AUTH_FAIL", "Authentication failed")
            case .deviceUnverified:
                WireError(.unauthorized, "POWERAUTH_AUTH_FAIL", "Unable to verify device registration.")
            case .operationInvalid: bad("INVALID_OPERATION", "Invalid operation")
            case .operationFinished: bad("OPERATION_ALREADY_FINISHED", "Operation is already completed")
            case .operationOverFailed: bad("OPERATION_ALREADY_FAILED", "Operation already failed")
            case .operationCanceled: bad("OPERATION_ALREADY_CANCELED", "Operation was already canceled")
            case .operationExpired: bad("OPERATION_EXPIRED", "Operation is expired")
            case .flagMissing:
                bad("OPERATION_REQUIRES_ACTIVATION_FLAG", "Operation requires an activation flag")
            case .attemptFailed: WireError(.unauthorized, "OPERATION_FAILED", "Operation attempt failed")
            case .activationCodeFailed: bad("ACTIVATION_CODE_FAILED", "Activation code was not issued")
            case .inboxFailed: bad("INBOX_FAILED", "Inbox call failed")
            case .configurationMissing:
                bad("APPLICATION_CONFIGURATION_ERROR", "Application configuration is not available")
            case .notFound: WireError(.notFound, "ERROR_NOT_FOUND", "Nothing answers at this path.")
            }
        }

        private func bad(_ code: String, _ message: String) -> WireError {
            WireError(.badRequest, code, message)
        }
    }

    let kind: Kind
    private let reason: Reason
    /// Where the client hears another text than is usual for the code.
    private let message: String?

    private enum Reason: Sendable {
        case text(String)
        /// Asked for its explanation when the journal wants it, after the transaction: finding it may take milliseconds.
        case refusal(any Refusal)
        case both(any Refusal, String)
    }

    init(_ kind: Kind, _ explanation: String, message: String? = nil) {
        (self.kind, reason, self.message) = (kind, .text(explanation), message)
    }

    /// A refusal of another room, in the words of this API.
    ///
    /// - Parameter consequence: what else is to be told, a sentence of its own.
    init(_ kind: Kind, because refusal: any Refusal, _ consequence: String? = nil) {
        self.kind = kind
        reason = consequence.map { .both(refusal, $0) } ?? .refusal(refusal)
        message = nil
    }

    var explanation: String {
        switch reason {
        case .text(let text): text
        case .refusal(let refusal): refusal.explanation
        case .both(let refusal, let consequence): refusal.explanation + " " + consequence
        }
    }

    var wire: WireError {
        var wire = kind.wire
        if let message { wire.message = message }
        return wire
    }
}

extension TokenAPIRefusal {
    /// Why an operation did not change, in the words of this API.
    init(_ refusal: OperationRefusal) {
        let kind: Kind =
            switch refusal.code {
            case .invalidRequest: .requestInvalid
            case .applicationUnknown: .applicationInvalid
            case .activationUnknown, .templateUnknown, .operationUnknown, .stateForbidsChange,
                .cannotBeApproved, .cannotBeRejected:
                .operationInvalid
            }
        self.init(kind, because: refusal)
    }

    /// What a state other than PENDING means to a device; nil for PENDING.
    init?(stateOf operation: Operation, at now: Date, _ detail: String? = nil) {
        let kind: Kind
        switch operation.state(at: now) {
        case .pending: return nil
        case .approved, .rejected: kind = .operationFinished
        case .canceled: kind = .operationCanceled
        case .failed: kind = .operationOverFailed
        case .expired: kind = .operationExpired
        }
        self.init(
            kind,
            detail ?? operation.refusalToChange(.stateForbidsChange, at: now)?.explanation
                ?? "The operation is over.")
    }
}

extension Result where Failure: Refusal {
    /// The success, or the refusal in the words of the Mobile Token API.
    func orRefuse(as kind: TokenAPIRefusal.Kind) throws -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let refusal): throw TokenAPIRefusal(kind, because: refusal)
        }
    }
}
