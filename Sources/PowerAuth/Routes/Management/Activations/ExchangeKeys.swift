import Essentials
import HTTP
import PlatformKit
import SQLite

/// The key exchange, when a server in front of this one asks for it. Source of all: documentation of the PowerAuth Server 1.9, “Web
/// Services – Methods”.
extension PowerAuth {
    /// `POST /rest/v3/activation/prepare`: the key exchange of a registration, found by its code.
    ///
    /// - Request: `{"activationCode", "applicationKey", "generateRecoveryCodes"?, "protocolVersion", "temporaryKeyId"?,
    ///   "ephemeralPublicKey", "encryptedData", "mac", "nonce"?, "timestamp"?}`, encrypted for the application (`/pa/activation`).
    /// - Response: `activationId`, `userId`, `applicationId`, `activationStatus`, and encrypted `{"activationId",
    ///   "serverPublicKey", "ctrData", "activationRecovery"?}`.
    /// - Errors: `ERR0007`, `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0031`, `ERR0032`, `ERR0045`.
    func prepareActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let code = try input.text("activationCode")
        let givesRecovery = try input.optionalBoolean("generateRecoveryCodes") ?? false
        return try exchangeKeys(input, .code(code), givesRecovery: givesRecovery)
    }

    /// `POST /rest/v3/activation/create`: an activation without a registration before it; it waits for its commit.
    ///
    /// - Request: `{"userId", "timestampActivationExpire"?, "maxFailureCount"?, "activationOtp"?, "generateRecoveryCodes"?}` and the
    ///   encrypted members of `activation/prepare`.
    /// - Response: as `activation/prepare`.
    /// - Errors: `ERR0001`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0040`, `ERR0045`.
    func makeActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (user, terms) = try newActivationTerms(input)
        let givesRecovery = try input.optionalBoolean("generateRecoveryCodes") ?? true
        return try exchangeKeys(input, .user(user, terms), givesRecovery: givesRecovery)
    }

    /// `POST /rest/v3/activation/recovery/create`: an activation in the place of a lost one; it waits for its commit.
    ///
    /// - Request: `{"recoveryCode", "puk", "maxFailureCount"?, "activationOtp"?, "generateRecoveryCodes"?}` and the encrypted members
    ///   of `activation/prepare`.
    /// - Response: as `activation/prepare`.
    /// - Errors: `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`; `ERR_RECOVERY` with `currentRecoveryPukIndex` for a wrong PUK, which is
    ///   counted; `ERR0028` for a code that is not there or cannot be used, also when this PUK has blocked it.
    func recoverActivation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (code, puk) = (try input.text("recoveryCode"), try input.text("puk"))
        let terms = try activationTerms(input)
        let givesRecovery = try input.optionalBoolean("generateRecoveryCodes") ?? true
        return try exchangeKeys(
            input, .recovery(code: code, puk: puk, terms), givesRecovery: givesRecovery)
    }

    /// Whose activation it shall be, and how it begins.
    func newActivationTerms(_ input: Members) throws -> (user: String, ActivationTerms) {
        if input["userId"] == nil { throw ManagementRefusal(.userMissing, "No user ID was set.") }
        return (try input.text("userId"), try activationTerms(input))
    }

    /// What is told of an activation that has exchanged keys, beside what is for its device.
    func exchangedMembers(of activation: Activation) -> [String: JSONValue] {
        [
            "activationId": .string(activation.id), "userId": .string(activation.user),
            "applicationId": .string(activation.application),
            "activationStatus": .string(activation.state.rawValue),
        ]
    }

    private func activationTerms(_ input: Members) throws -> ActivationTerms {
        ActivationTerms(
            isCommitted: false, otp: try input.optionalText("activationOtp", 1...255),
            expiresAt: try input.optionalTime("timestampActivationExpire"),
            maxFailedAttempts: try input.optionalInteger("maxFailureCount", 1...64))
    }

    private func exchangeKeys(
        _ input: Members, _ identity: ActivationIdentity, givesRecovery: Bool
    ) throws -> Response {
        let request = try EnclosedRequest(input, .application)
        try input.check()
        return try enclosed { turn in
            try encryption.open(request, .activationLayer2, in: turn) { opened in
                let layer = try ActivationLayer(opened)
                let creation = ActivationCreation(
                    world: world, application: layer.application, exchange: try layer.keyExchange(),
                    givesRecovery: givesRecovery)
                let made = try creation.make(identity, in: turn)
                let sealed = try encryption.sealed(made, in: layer).json.object ?? [:]
                return .management(exchangedMembers(of: made.activation).merging(sealed) { own, _ in own })
            }
        }
    }
}
