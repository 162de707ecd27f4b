import Essentials
import HTTP
import SQLite

extension PowerAuth {
    private enum OTPValidationMode: String, CaseIterable {
        case none = "NONE"
        case onKeyExchange = "ON_KEY_EXCHANGE"
        case onCommit = "ON_COMMIT"
    }

    /// `POST /rest/v3/activation/init`: starts an activation.
    ///
    /// - Request: `{"userId", "applicationId", "timestampActivationExpire"?, "maxFailureCount"?, "commitPhase"? or
    ///   "activationOtpValidation"?, "activationOtp"?, "flags"?}`.
    /// - Response: `activationId`, `activationCode`, `activationSignature`, `userId`, `applicationId`.
    /// - Errors: `ERR0001`, `ERR0002`, `ERR0015`, `ERR0024`, `ERR0040`.
    /// - Source: published behaviour of the PowerAuth Server.
    func initActivation(_ request: Request) throws -> Response {
        var input = try managementInput(request)
        if input["userId"] == nil { throw ManagementError(.userMissing, "No user ID was set.") }
        if input["applicationId"] == nil {
            throw ManagementError(.applicationMissing, "No application ID was set.")
        }
        var new = NewActivation(user: input.text("userId"), application: input.text("applicationId"))
        new.flags = input.optionalTexts("flags") ?? []
        new.expiresAt = input.optionalDate("timestampActivationExpire")
        new.maxFailedAttempts = input.optionalInteger("maxFailureCount", 1...64)
        new.otp = input.optionalText("activationOtp", 1...255)
        let phase = input.optionalChoice("commitPhase", Activation.CommitPhase.self)
        let mode = input.optionalChoice("activationOtpValidation", OTPValidationMode.self)
        if phase != nil, mode != nil {
            input.refuse("activationOtpValidation", "commitPhase or activationOtpValidation, not both")
        }
        if let mode, (mode == .none) != (new.otp == nil) {
            input.refuse("activationOtp", "an OTP exactly when activationOtpValidation is not NONE")
        }
        new.commitPhase = phase ?? (mode == .onKeyExchange ? .onKeyExchange : .onCommit)
        try input.check()
        let order = new
        return try change { turn in
            do {
                let activation = try createActivation(order, in: &turn)
                var members = try managementCode(of: activation, in: turn.db)
                members["activationId"] = .string(activation.id)
                members["userId"] = .string(activation.user)
                members["applicationId"] = .string(activation.application)
                return .management(members)
            } catch let refusal as ActivationRefusal {
                throw ManagementError(refusal)
            }
        }
    }

    /// Code and signature, as this API calls them.
    func managementCode(of activation: Activation, in db: Connection) throws -> [String: JSONValue] {
        guard let code = activation.code, let signature = try codeSignature(of: activation, in: db) else {
            return [:]
        }
        return ["activationCode": .string(code), "activationSignature": .string(signature)]
    }
}
