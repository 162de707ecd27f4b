import Essentials
import HTTP
import PlatformKit
import SQLite

/// Changes of one activation. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/activation/commit`: makes an activation active after its key exchange.
    ///
    /// - Request: `{"activationId", "externalUserId"?, "activationOtp"?}`.
    /// - Response: `activationId`, `activated`.
    /// - Errors: `ERR0007`, `ERR0008`, `ERR0009`, `ERR0024`, `ERR0031`, `ERR0032`.
    func commitActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let externalUser = try input.optionalText("externalUserId")
        let otp = try input.optionalText("activationOtp", 1...255)
        try input.check()
        let activation = try changeActivation(id) { activation, turn in
            try activations.commit(activation, otp: otp, by: externalUser, in: turn)
        }
        return .management(["activationId": .string(activation.id), "activated": true])
    }

    /// `POST /rest/v3/activation/otp/update`: sets the OTP that the commit asks for.
    ///
    /// - Request: `{"activationId", "externalUserId"?, "activationOtp"}`.
    /// - Response: `activationId`, `updated`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0024`, `ERR0032`.
    func updateActivationOTP(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let otp = try input.text("activationOtp")
        let activation = try changeActivation(input) { activation, externalUser, turn in
            try activations.updateOTP(otp, of: activation, by: externalUser, in: turn)
        }
        return .management(["activationId": .string(activation.id), "updated": true])
    }

    /// `POST /rest/v3/activation/name/update`: another name.
    ///
    /// - Request: `{"activationId", "externalUserId"?, "activationName"}`.
    /// - Response: `activationId`, `activationName`, `activationStatus`.
    /// - Errors: `ERR0008` in CREATED, BLOCKED and REMOVED, `ERR0009`, `ERR0024`.
    func updateActivationName(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let name = try input.text("activationName")
        let activation = try changeActivation(input) { activation, externalUser, turn in
            try activations.rename(activation, to: name, by: externalUser, in: turn)
        }
        return .management([
            "activationId": .string(activation.id), "activationName": .string(name),
            "activationStatus": .string(activation.state.rawValue),
        ])
    }

    /// `POST /rest/v3/activation/block`: blocks an active one.
    ///
    /// - Request: `{"activationId", "reason"?, "externalUserId"?}`.
    /// - Response: `activationId`, `activationStatus`, `blockedReason`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0024`.
    func blockActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let reason = try input.optionalText("reason", 1...255)
        let activation = try changeActivation(input) { activation, externalUser, turn in
            try activations.block(activation, reason: reason, by: externalUser, in: turn)
        }
        var members: [String: JSONValue] = [
            "activationId": .string(activation.id), "activationStatus": .string(activation.state.rawValue),
        ]
        members["blockedReason"] = activation.blockedReason.map(JSONValue.string)
        return .management(members)
    }

    /// `POST /rest/v3/activation/unblock`: the reverse.
    ///
    /// - Request: `{"activationId", "externalUserId"?}`.
    /// - Response: `activationId`, `activationStatus`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0024`.
    func unblockActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let activation = try changeActivation(input) { activation, externalUser, turn in
            try activations.unblock(activation, by: externalUser, in: turn)
        }
        return .management([
            "activationId": .string(activation.id), "activationStatus": .string(activation.state.rawValue),
        ])
    }

    /// `POST /rest/v3/activation/remove`: ends one in any state.
    ///
    /// - Request: `{"activationId", "externalUserId"?, "revokeRecoveryCodes"?}`.
    /// - Response: `activationId`, `removed`.
    /// - Errors: `ERR0009`, `ERR0024`.
    func endActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let revokes = try input.optionalBoolean("revokeRecoveryCodes") ?? true
        let activation = try changeActivation(input) { activation, externalUser, turn in
            try activations.remove(
                activation, by: externalUser, revokingRecoveryCodes: revokes, in: turn)
        }
        return .management(["activationId": .string(activation.id), "removed": true])
    }

    /// `POST /rest/v3/activation/status/update`: one state for many, all or nothing.
    ///
    /// - Request: `{"activationIds", "activationStatus"}`. To become ACTIVE is a commit or the end of a block, to become BLOCKED a
    ///   block, to become REMOVED the end; one that has the state already stays as it is.
    /// - Response: `updated`.
    /// - Errors: `ERR0008` when no such step leads there from the state of one of them, `ERR0009`, `ERR0024`; of a commit
    ///   `ERR0031` when an OTP is asked for.
    /// - Source: published behaviour of the PowerAuth Server, which sets the column, and its activation states, which hold here.
    func updateActivationStates(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let ids = try input.optionalTexts("activationIds") ?? []
        let state = try input.optionalChoice("activationStatus", Activation.State.self)
        if ids.isEmpty { try input.refuse("activationIds", "a list of ids") }
        if state == nil, input["activationStatus"] == nil { try input.refuse("activationStatus", "a state") }
        try input.check()
        guard let state else { throw ManagementRefusal(.invalidRequest, "No state was set.") }
        try change { turn in
            for id in ids.unique {
                let activation = try requireActivation(id, in: turn)
                // Thrown inside of the transaction, so that none of them changes.
                do {
                    _ = try activations.setState(state, of: activation, in: turn)
                } catch let refusal as ActivationRefusal {
                    throw ManagementRefusal(refusal).about(id)
                }
            }
        }
        return .management(["updated": true])
    }

    private func changeActivation(
        _ input: Members, _ body: (Activation, String?, Turn) throws -> Activation
    ) throws -> Activation {
        let id = try input.text("activationId")
        let externalUser = try input.optionalText("externalUserId")
        try input.check()
        return try changeActivation(id) { try body($0, externalUser, $1) }
    }

    /// - Parameter body: gets it as stored, and has it kept when its time is over.
    private func changeActivation(
        _ id: String, _ body: (Activation, Turn) throws -> Activation
    ) throws -> Activation {
        try change { turn in
            guard let stored = try Activation.find(id, in: turn.db) else {
                throw ManagementRefusal(ActivationRefusal.unknown(id))
            }
            do {
                return try body(stored, turn)
            } catch let refusal as ActivationRefusal {
                throw ManagementRefusal(refusal)
            }
        }
    }
}
