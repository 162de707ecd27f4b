import Crypto
import Essentials
import HTTP
import PlatformKit
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
        try initActivation(request) { _, _ in [:] }
    }

    /// `POST /rest/v4/activation/init`: the same, with a signature of the code for each algorithm of the application.
    ///
    /// - Request: as of version 3.
    /// - Response: as of version 3, and `activationSignatures`, an object of signatures by the names of algorithms.
    /// - Errors: `ERR0001`, `ERR0015`, `ERR0024`, `ERR0040`.
    /// - Source: documentation of the PowerAuth Server 2.x, “Web Services – Methods V4”.
    func initActivation4(_ request: Request) throws -> Response {
        try initActivation(request) { activation, db in
            ["activationSignatures": try codeSignatures(of: activation, in: db)]
        }
    }

    /// Signatures of the code by the master key that an app of each algorithm verifies with. *Assumed* is that the names are those of
    /// `supportedAlgorithms`.
    func codeSignatures(of activation: Activation, in db: Connection) throws -> JSONValue {
        let suites = try ApplicationSuites.find(activation.application, in: db)
        let older = try activations.codeSignature(of: activation, in: db)
        let newer = try activation.code.map {
            try ActivationCode($0).signature(by: world.masterKey(of: suites))
        }
        var signatures: [String: JSONValue] = [:]
        for algorithm in suites.algorithms {
            let text = algorithm == .legacy ? older : newer.map { Base64.encode($0) }
            signatures[algorithm.rawValue] = text.map(JSONValue.string)
        }
        return .object(signatures)
    }

    /// - Parameter more: what is told beside what every version tells.
    private func initActivation(
        _ request: Request, _ more: (Activation, Connection) throws -> [String: JSONValue]
    ) throws -> Response {
        let input = try managementInput(request)
        if input["userId"] == nil { throw ManagementRefusal(.userMissing, "No user ID was set.") }
        if input["applicationId"] == nil {
            throw ManagementRefusal(.applicationMissing, "No application ID was set.")
        }
        var new = NewActivation(user: try input.text("userId"), application: try input.text("applicationId"))
        new.flags = try input.optionalTexts("flags") ?? []
        new.expiresAt = try input.optionalTime("timestampActivationExpire")
        new.maxFailedAttempts = try input.optionalInteger("maxFailureCount", 1...64)
        new.otp = try input.optionalText("activationOtp", 1...255)
        let phase = try input.optionalChoice("commitPhase", Activation.CommitPhase.self)
        let mode = try input.optionalChoice("activationOtpValidation", OTPValidationMode.self)
        if phase != nil, mode != nil {
            try input.refuse("activationOtpValidation", "commitPhase or activationOtpValidation, not both")
        }
        if let mode, (mode == .none) != (new.otp == nil) {
            try input.refuse("activationOtp", "an OTP exactly when activationOtpValidation is not NONE")
        }
        new.commitPhase = phase ?? (mode == .onKeyExchange ? .onKeyExchange : .onCommit)
        try input.check()
        let order = new
        return try change { turn in
            do {
                let activation = try activations.create(order, in: turn)
                var members = try managementCode(of: activation, in: turn.db)
                members["activationId"] = .string(activation.id)
                members["userId"] = .string(activation.user)
                members["applicationId"] = .string(activation.application)
                return .management(members.merging(try more(activation, turn.db)) { own, _ in own })
            } catch let refusal as ActivationRefusal {
                throw ManagementRefusal(refusal)
            }
        }
    }

    /// Code and signature, as this API calls them.
    func managementCode(of activation: Activation, in db: Connection) throws -> [String: JSONValue] {
        guard let code = activation.code,
            let signature = try activations.codeSignature(of: activation, in: db)
        else {
            return [:]
        }
        return ["activationCode": .string(code), "activationSignature": .string(signature)]
    }
}
