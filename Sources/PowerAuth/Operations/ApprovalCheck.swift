import Crypto
import Essentials

/// What an approval has to stand, in the order of the published server; where its generations differ, in that of the newer one.
///
/// Source: PowerAuth server, published source: behaviour of `operation/approve`.
struct ApprovalCheck: Sendable {
    enum Outcome: Sendable, Equatable {
        /// An attempt is counted; the reason stands in the middle of a sentence.
        case failed(Operation, String)
        case approved(Operation)
    }

    let id: String
    let decision: OperationDecision
    let isApplicationKnown: Bool
    /// Of 30 s.
    let stepsBack: Int
    let now: Date

    /// - Throws: ``OperationRefusal``, with which nothing is counted; `ProtocolFault` for a seed that makes no one-time passwords.
    func outcome(for found: Operation?) throws -> Outcome {
        // 1
        if let missing { throw OperationRefusal.approvalIncomplete(without: missing) }
        // 2
        guard let operation = found else { throw OperationRefusal.unknown(id, .cannotBeApproved) }
        // 3
        guard isApplicationKnown else { throw OperationRefusal.applicationUnknown(decision.application) }
        // 4
        if let refusal = operation.refusalToChange(.cannotBeApproved, at: now) { throw refusal }
        // 5: before anything is counted, so that nobody uses up the attempts of another user's operation.
        guard operation.user == decision.user else {
            throw OperationRefusal.approvedByStranger(decision.user, operation)
        }
        if let reason = try failure(of: operation) { return .failed(operation, reason) }
        return .approved(operation)
    }

    /// Checks 6 to 11.
    private func failure(of operation: Operation) throws -> String? {
        guard operation.applications.contains(decision.application) else {
            return "the application “\(decision.application)” is not one of "
                + operation.applications.joined(separator: ", ")
        }
        guard operation.data == decision.data else {
            return "the data is “\(decision.data.prefix(200))”, expected “\(operation.data.prefix(200))”"
        }
        guard operation.types.contains(decision.type) else {
            return "the factors are \(decision.type.rawValue), allowed are "
                + operation.types.map(\.rawValue).joined(separator: ", ")
        }
        guard operation.failures < operation.maxFailures else { return "no attempts are left" }
        if let seed = operation.proximitySeed?.bytes, let reason = try failure(ofProximity: seed) {
            return reason
        }
        guard operation.activation == nil || operation.activation == decision.activation else {
            return "it is bound to the registration \(operation.activation ?? ""), and "
                + "\(decision.activation ?? "none") approves it"
        }
        return nil
    }

    private func failure(ofProximity seed: [UInt8]) throws -> String? {
        guard let otp = decision.proximityOTP else { return "it checks proximity, and no OTP was sent" }
        let right = try OneTimePassword(seed: seed)
            .codes(at: now.unixSeconds, stepsBack: stepsBack)
        let isRight = right.reduce(false) { found, code in
            constantTimeEqual(Array(code.utf8), Array(otp.utf8)) || found
        }
        return isRight
            ? nil
            : "the proximity OTP is “\(otp.prefix(20))”, right would be \(right.joined(separator: " or "))"
    }

    private var missing: String? {
        let parts = [
            ("an operation id", id), ("a user", decision.user), ("an application", decision.application),
            ("data", decision.data),
        ]
        return parts.first { $0.1.isEmpty }?.0
    }
}

/// What a device brings to approve or reject an operation.
struct OperationDecision: Sendable {
    var user: String
    var application: String
    var activation: String?
    var data: String
    var type: SignatureType
    var proximityOTP: String?
    /// Merged into the operation's, new keys win.
    var additionalData: [String: JSONValue] = [:]
}
