import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /v2/operations/{operationId}/offline/otp`: the code that the user typed over from a device without a network.
    ///
    /// A right code approves the operation; a wrong one counts on the registration and on the operation in one transaction.
    ///
    /// - Request: `{"otp": "12345678-90123456", "nonce", "registrationId"}`; the dash may be missing.
    /// - Response: `200` with `otpValid`, `userId`, `registrationId`, `registrationStatus`, `signatureType`, `remainingAttempts`,
    ///   `flags`, `application`.
    /// - Errors: `ERROR_OTP_INVALID` for a code that is malformed; those of the QR code.
    /// - Source: PowerAuth Cloud documentation, operations; PowerAuth documentation, “Offline Signatures”. That the operation is
    ///   approved and counts as well is *assumed*.
    func verifyOfflineOTP(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let code = try input.text("otp", 1...64)
        let nonce = try input.text("nonce", 1...64)
        let id = try input.text("registrationId", 1...37)
        if Base64.decode(nonce)?.count != Nonce.count { try input.refuse("nonce", "Base64 of 16 bytes") }
        try input.check()
        let (verification, members, refusal) = try change { turn in
            let operation = try requireOperation(request.parameter("operation"), of: user, in: turn.db)
            let activation = try requireRegistration(id, of: user, in: turn)
            try requireOffline(operation, on: activation, at: turn.now)
            try checkForm(of: code, digits: world.settings(in: turn.db).offlineComponentLength)
            let outcome = try authentication.verifyOffline(
                code, nonce: nonce, bodies: bodies(of: operation, in: turn), types: operation.offlineTypes,
                activation: activation, in: turn)
            let refusal = try settle(operation, outcome, activation, in: turn)
            let verification = Verification(outcome, before: activation)
            // Published clients read these also when the registration is not active; the caller named it.
            let known: [String: JSONValue] = [
                "userId": .string(activation.user),
                "signatureType": .string(Operation.firstOfflineType.rawValue),
            ]
            let members = verification.members("otpValid").merging(known) { own, _ in own }
            return (verification, members, refusal)
        }
        explain(verification.outcome, "offline code refused")
        if let refusal { note("operation not approved", refusal) }
        return .flat(members)
    }

    /// Two groups of digits, with a dash between them or without.
    private func checkForm(of code: String, digits: Int) throws {
        let groups = code.split(separator: "-", omittingEmptySubsequences: false)
        let isDigits = groups.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        guard isDigits,
            groups.map(\.utf8.count) == [digits, digits] || groups.map(\.utf8.count) == [2 * digits]
        else {
            throw CloudRefusal(
                .otpInvalid, "The OTP is not well formed.",
                "The OTP has to be two groups of \(digits) digits with a dash between them, found “\(code)”."
            )
        }
    }

    /// What the device may have signed: one text for each one-time password that is right now.
    private func bodies(of operation: Operation, in turn: Turn) throws -> [[UInt8]] {
        guard let seed = operation.proximitySeed?.bytes else {
            return [OfflineData(operationID: operation.id, data: operation.data).bytes]
        }
        let codes = try OneTimePassword(seed: seed).codes(
            at: turn.now.unixSeconds, stepsBack: world.settings(in: turn.db).proximityStepsBack
        )
        return codes.map { OfflineData(operationID: operation.id, data: operation.data, otp: $0).bytes }
    }

    /// - Returns: why the operation was not approved although the code was right, or what its failure cost.
    private func settle(
        _ operation: Operation, _ outcome: AuthenticationOutcome, _ activation: Activation,
        in turn: Turn
    ) throws -> String? {
        let facts: [String: JSONValue] = [
            Operation.AdditionalMember.application: .string(activation.application),
            Operation.AdditionalMember.activation: .string(activation.id),
        ]
        // An activation that is not active was not asked anything: nothing is counted.
        guard activation.state == .active else { return nil }
        do {
            return try decide(operation, outcome, activation, facts, in: turn).explanation
        } catch let refusal as OperationRefusal {
            return refusal.explanation
        }
    }

    private func decide(
        _ operation: Operation, _ outcome: AuthenticationOutcome, _ activation: Activation,
        _ facts: [String: JSONValue], in turn: Turn
    ) throws -> OperationResult {
        guard outcome.isValid, let type = outcome.type else {
            return try operations.failApproval(operation.id, additionalData: facts, in: turn)
        }
        if operation.user == nil {
            _ = try operations.claim(operation.id, for: activation.user, in: turn)
        }
        let decision = OperationDecision(
            user: activation.user, application: activation.application, activation: activation.id,
            data: operation.data, type: type, proximityOTP: try operation.proximityOTP(at: turn.now),
            additionalData: facts.merging(
                [Operation.AdditionalMember.factors: .string(type.rawValue)]) { _, new in new })
        return try operations.approve(operation.id, decision, in: turn)
    }
}

extension Operation {
    static let firstOfflineType = SignatureType.possessionKnowledge

    /// Combinations that an offline code may have, in the order in which they are tried.
    var offlineTypes: [SignatureType] {
        [Self.firstOfflineType] + (types.contains(.possessionBiometry) ? [.possessionBiometry] : [])
    }
}
