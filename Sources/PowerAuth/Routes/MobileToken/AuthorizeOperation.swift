import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /api/auth/token/app/operation/authorize`: the user approves.
    ///
    /// An authentication that fails for whatever reason counts twice in one transaction: on the registration, as any wrong code
    /// does, and on the operation.
    ///
    /// - Request: `{"requestObject": {"id", "data", "proximityCheck"?: {"otp", "type", …}, "mobileTokenData"?}}`, signed for
    ///   `/operation/authorize`.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`, 401 `OPERATION_FAILED` for a failed attempt; 400 with a code for each state but PENDING,
    ///   `INVALID_OPERATION`, `OPERATION_REQUIRES_ACTIVATION_FLAG`, `INVALID_APPLICATION`, `INVALID_REQUEST`.
    /// - Source: Mobile Token documentation, “Mobile Token API”, and the published behaviour of its server.
    func authorizeOperation(_ request: Request) throws -> Response {
        try change { turn in
            // 1
            let input = try Members(ofDevice: request)
            guard let id = input["id"]?.string else {
                throw TokenAPIRefusal(.authenticationFailed, "The body has no requestObject with an id.")
            }
            // 2
            try authentication.authenticate(
                request, uriID: "/operation/authorize",
                types: [.possession, .possessionKnowledge, .possessionBiometry], in: turn,
                else: { try counted($0, on: id, DeviceFacts(request), in: turn) }
            ) { device in
                try requireOnboarded(device)  // 3
                let operation = try pendingOperation(id, in: turn)  // 4
                try requireFlag(of: operation, on: device)  // 5
                // 6
                let decision = decision(request, device, input)
                // 7
                let result = try TokenAPIRefusal.telling {
                    try operations.approve(id, decision, knowing: operation, in: turn)
                }
                try conclude(result, .approved, in: turn)
            }
        }
        return .powerAuth()
    }

    private func decision(
        _ request: Request, _ device: Authenticated, _ input: Members
    ) -> OperationDecision {
        let otp = input["proximityCheck"]?["otp"]?.string
        var facts = DeviceFacts(request, device, input.values)
        facts.add(Operation.AdditionalMember.factors, device.type.rawValue)
        facts.add(Operation.AdditionalMember.proximityOTP, otp)
        return OperationDecision(
            user: device.activation.user, application: device.application.id,
            activation: device.activation.id, data: input["data"]?.string ?? "", type: device.type,
            proximityOTP: otp, additionalData: facts.members)
    }

    /// Counts the attempt on the operation as well.
    private func counted(
        _ refusal: AuthenticationRefusal, on id: String, _ facts: DeviceFacts, in turn: Turn
    ) throws -> TokenAPIRefusal {
        do {
            let result = try operations.failApproval(id, additionalData: facts.members, in: turn)
            let isOver = result.operation.state(at: turn.now) != .pending
            let told = TokenAPIRefusal(
                isOver ? .operationOverFailed : .authenticationFailed, because: refusal,
                result.explanation ?? "")
            return operations.refusal(told, of: result, in: turn)
        } catch let operationRefusal as OperationRefusal {
            if let operation = try Operation.find(id, in: turn.db),
                let over = TokenAPIRefusal(stateOf: operation, at: turn.now)
            {
                return TokenAPIRefusal(over.kind, because: refusal, over.explanation)
            }
            return TokenAPIRefusal(.operationInvalid, because: refusal, operationRefusal.explanation)
        }
    }

    private func requireOnboarded(_ device: Authenticated) throws {
        let unfinished = ["VERIFICATION_PENDING", "VERIFICATION_IN_PROGRESS"]
        guard let flag = device.activation.flags.first(where: unfinished.contains) else { return }
        throw TokenAPIRefusal(
            .authenticationFailed,
            "The registration \(device.activation.id) carries the flag \(flag): its onboarding is not finished."
        )
    }
}

// MARK: - Shared with the rejection

extension PowerAuth {
    func pendingOperation(_ id: String, in turn: Turn) throws -> Operation {
        guard let operation = try Operation.find(id, in: turn.db) else {
            throw TokenAPIRefusal(OperationRefusal.unknown(id))
        }
        if let over = TokenAPIRefusal(stateOf: operation, at: turn.now) { throw over }
        return operation
    }

    func requireFlag(of operation: Operation, on device: Authenticated) throws {
        guard let flag = operation.flag, !device.activation.flags.contains(flag) else { return }
        throw TokenAPIRefusal(
            .flagMissing,
            "The operation \(operation.id) asks for the flag “\(flag)”; the registration \(device.activation.id) has "
                + "\(device.activation.flags.isEmpty ? "none" : device.activation.flags.joined(separator: ", "))."
        )
    }

    /// Throws what a result other than the wanted one means to the device. An attempt that was counted stays so.
    func conclude(_ result: OperationResult, _ wanted: OperationResult.Word, in turn: Turn) throws {
        if result.word == wanted { return }
        let detail = result.explanation
        let refusal =
            TokenAPIRefusal(stateOf: result.operation, at: turn.now, detail)
            ?? TokenAPIRefusal(.attemptFailed, detail ?? "The operation is \(result.word.rawValue).")
        throw operations.refusal(refusal, of: result, in: turn)
    }
}
