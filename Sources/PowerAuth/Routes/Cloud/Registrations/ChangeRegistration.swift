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
        try change { turn in
            var activation = try requireRegistration(
                request.parameter("registration"), of: user, asStored: true, in: turn)
            // Only in the value: what is refused below has written nothing, and what is not tells the new flags.
            if let flags { activation.flags = flags.unique }
            do {
                let changed = try change(activation, kind, reason: reason, by: externalUser, in: turn)
                if let flags { _ = try activations.setFlags(flags, of: changed, in: turn) }
            } catch let refusal as ActivationRefusal {
                throw CloudRefusal(refusal)
            }
        }
        return .cloudOK
    }

    private func change(
        _ activation: Activation, _ kind: RegistrationChange?, reason: String?, by externalUser: String?,
        in turn: Turn
    ) throws -> Activation {
        switch kind {
        case .block: return try activations.block(activation, reason: reason, by: externalUser, in: turn)
        case .unblock: return try activations.unblock(activation, by: externalUser, in: turn)
        case nil:
            try activations.require(
                .created, .pendingCommit, .active, .blocked, of: activation, or: "any other state", in: turn)
            return activation
        }
    }
}
