import Essentials
import HTTP
import PlatformKit

/// A refusal of the Mobile Token API. The client hears code and message, the journal a sentence.
struct TokenAPIRefusal: PowerAuthRefusal {
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
    /// What failed, and how it is told. Source: Mobile Token documentation, and what its published server sends.
    struct Kind: Sendable {
        let wire: WireError

        private init(_ code: String, _ message: String, _ status: Status = .badRequest) {
            wire = WireError(status, code, message)
        }

        static let requestInvalid = Self("INVALID_REQUEST", "Invalid request")
        static let applicationInvalid = Self("INVALID_APPLICATION", "Invalid application")
        static let authenticationFailed = Self("POWERAUTH_AUTH_FAIL", "Authentication failed", .unauthorized)
        static let deviceUnverified = Self(
            "POWERAUTH_AUTH_FAIL", "Unable to verify device registration.", .unauthorized)
        static let operationInvalid = Self("INVALID_OPERATION", "Invalid operation")
        static let operationFinished = Self("OPERATION_ALREADY_FINISHED", "Operation is already completed")
        static let operationOverFailed = Self("OPERATION_ALREADY_FAILED", "Operation already failed")
        static let operationCanceled = Self("OPERATION_ALREADY_CANCELED", "Operation was already canceled")
        static let operationExpired = Self("OPERATION_EXPIRED", "Operation is expired")
        static let flagMissing = Self(
            "OPERATION_REQUIRES_ACTIVATION_FLAG", "Operation requires an activation flag")
        static let attemptFailed = Self("OPERATION_FAILED", "Operation attempt failed", .unauthorized)
        static let activationCodeFailed = Self("ACTIVATION_CODE_FAILED", "Activation code was not issued")
        static let inboxFailed = Self("INBOX_FAILED", "Inbox call failed")
        static let configurationMissing = Self(
            "APPLICATION_CONFIGURATION_ERROR", "Application configuration is not available")
        static let notFound = Self("ERROR_NOT_FOUND", "Nothing answers at this path.", .notFound)
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

extension TokenAPIRefusal {
    /// What `body` makes; what an operation refuses in it is said in the words of this API.
    static func telling<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as OperationRefusal {
            throw TokenAPIRefusal(refusal)
        }
    }
}

// MARK: - Who asks

extension PowerAuth {
    /// Does `body` for the device that showed a MAC token; see ``Authentication``.
    ///
    /// - Parameter kind: how the client hears of a failure.
    func withDevice<Value>(
        _ request: Request, refusingAs kind: TokenAPIRefusal.Kind = .authenticationFailed, in turn: Turn,
        _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        try authentication.authenticateByToken(
            request, in: turn, else: { TokenAPIRefusal(kind, because: $0) }, body)
    }

    /// Does `body` for the device that signed the request.
    func withDevice<Value>(
        _ request: Request, signing uriID: String, types: Set<SignatureType> = .anyWithTwoFactors,
        covering bytes: [UInt8]? = nil, knowing known: Activation? = nil, in turn: Turn,
        _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        try authentication.authenticate(
            request, uriID: uriID, types: types, covering: bytes, knowing: known, in: turn,
            else: { TokenAPIRefusal(.authenticationFailed, because: $0) }, body)
    }
}
