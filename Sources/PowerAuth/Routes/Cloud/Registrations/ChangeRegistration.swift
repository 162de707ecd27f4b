import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    private enum RegistrationChange: String, CaseIterable {
        case block = "BLOCK"
        case unblock = "UNBLOCK"
    }

    /// `PUT /v2/registrations/{registrationId}`: blocks, unblocks, replaces flags.
    ///
    /// - Request: `{"change": "BLOCK" or "UNBLOCK", "blockedReason"?, "externalUserId"?}`. `flags` replaces the flags, with or
    ///   without `change`. All of it happens, or nothing.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REGISTRATION_CHANGE`, `ERROR_REQUEST`.
    /// - Source: PowerAuth Cloud documentation, registrations; `reason` for `blockedReason`, and `flags`, are *assumed*.
    func changeRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let kind = try input.optionalChoice("change", RegistrationChange.self)
        let reason = try input.optionalText("blockedReason", 1...255) ?? input.optionalText("reason", 1...255)
        let externalUser = try input.optionalText("externalUserId")
        let flags = try input.optionalTexts("flags")
        if kind == nil, flags == nil, input["change"] == nil {
            try input.refuse("change", "BLOCK or UNBLOCK")
        }
        try input.check()
        let outcome = try change { turn -> Result<Activation, ActivationRefusal> in
            var activation = try requireRegistration(request.parameter("registration"), of: user, in: &turn)
            // Only in the value: what is refused below has written nothing, and what is not tells the new flags.
            if let flags { activation.flags = flags.unique }
            let outcome = try change(activation, kind, reason: reason, by: externalUser, in: &turn)
            guard let flags, case .success(let changed) = outcome else { return outcome }
            return .success(try setFlags(flags, of: changed, in: &turn))
        }
        if case .failure(let refusal) = outcome { throw CloudRefusal(refusal) }
        return .cloudOK
    }

    private func change(
        _ activation: Activation, _ kind: RegistrationChange?, reason: String?, by externalUser: String?,
        in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        switch kind {
        case .block: try block(activation, reason: reason, by: externalUser, in: &turn)
        case .unblock: try unblock(activation, by: externalUser, in: &turn)
        case nil:
            activation.state == .removed
                ? .failure(.wrongState(.removed, wanted: "any other state")) : .success(activation)
        }
    }
}
