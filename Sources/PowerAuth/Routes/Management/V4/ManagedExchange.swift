import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// What a device encrypted by protocol 4.0, when a server in front of this one asks for it. Source of all: documentation of the PowerAuth
/// Server 2.x, “Migration of the REST API to version 4”.
extension PowerAuth {
    /// `POST /rest/v4/activation/prepare`: the key exchange of a registration, found by its code.
    ///
    /// - Request: `{"activationCode", "applicationKey", "protocolVersion", "temporaryKeyId", "encryptedData", "nonce", "timestamp"}`,
    ///   encrypted for the application (`/pa/activation`).
    /// - Response: `activationId`, `userId`, `applicationId`, `activationStatus`, and encrypted `{"sharedSecretResponse",
    ///   "serverPublicKeys", "activationId", "ctrData"}`.
    /// - Errors: `ERR0007`, `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0031`, `ERR0032`, `ERR0045`, `ERR0046`, `ERR0047`.
    func prepareActivation4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let code = try input.text("activationCode")
        return try exchangeKeys4(input, .code(code))
    }

    /// `POST /rest/v4/activation/create`: an activation without a registration before it; it waits for its commit.
    ///
    /// - Request: `{"userId", "timestampActivationExpire"?, "maxFailureCount"?, "activationOtp"?}` and the encrypted members of
    ///   `activation/prepare`.
    /// - Response: as `activation/prepare`.
    /// - Errors: `ERR0001`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0040`, `ERR0045`, `ERR0046`, `ERR0047`.
    func makeActivation4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (user, terms) = try newActivationTerms(input)
        return try exchangeKeys4(input, .user(user, terms))
    }

    private func exchangeKeys4(_ input: Members, _ identity: ActivationIdentity) throws -> Response {
        let message = try EnclosedMessage(input, .application)
        try input.check()
        return try enclosed { turn in
            try aeadEncryption.open(message, .activationLayer, in: turn) { opened in
                guard let members = opened.object else {
                    throw MobileRefusal(.activation, "What was encrypted is not a JSON object.")
                }
                let agreement = try agreement(members)
                let creation = ActivationCreation(
                    world: world, application: opened.application,
                    exchange: try KeyExchange(.suite(agreement), members), givesRecovery: false)
                let made = try creation.make(identity, in: turn).activation
                return try aeadEncryption.enclosed(
                    agreement.get().answer(of: made), answering: opened, exchangedMembers(of: made))
            }
        }
    }

    /// `POST /rest/v4/token/create`: a MAC token, for a device whose code the caller had verified. *Assumed* are the names, after those of
    /// version 3 and of the other calls.
    ///
    /// - Request: `{"activationId", "applicationKey", "authenticationCodeType", "protocolVersion"}` and the members of `{}` or of nothing,
    ///   encrypted for the activation (`/pa/token/create`).
    /// - Response: encrypted `{"tokenId", "tokenSecret"}`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`, `ERR0047`.
    func makeToken4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let message = try EnclosedMessage(input, .activation)
        let type = try codeType4(input)
        try input.check()
        return try enclosed { turn in
            try aeadEncryption.open(message, .createToken, in: turn) { opened in
                let holder = try holder4(of: opened)
                let token = try Token.create(
                    for: holder.activation, type, secretCount: V4.keyCount, services.entropy, in: turn)
                return try aeadEncryption.enclosed(token.told, answering: opened)
            }
        }
    }

    /// `POST /rest/v4/vault/unlock`: a key by which a device keeps something, when its code is right. *Assumed* are the names, after those
    /// of version 3 and of the other calls.
    ///
    /// - Request: `{"activationId", "applicationKey", "signedData", "authenticationCode", "authenticationCodeType",
    ///   "authenticationVersion" or "protocolVersion"}` and the members of `{"keyIdentifier", "reason"?}`, encrypted for the activation
    ///   (`/pa/vault/unlock`).
    /// - Response: `authenticationValid`, and encrypted `{"vaultEncryptionKey"}`, an empty object for a wrong code.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`, `ERR0047`.
    func openVault4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let message = try EnclosedMessage(
            input, .activation, version: ["authenticationVersion", "protocolVersion"])
        let data = try input.text("signedData", 1...1_000_000)
        let text = try input.text("authenticationCode", 1...1024)
        let type = try codeType4(input)
        try input.check()
        let (response, outcome) = try enclosed { turn -> (Response, AuthenticationOutcome) in
            guard try Vault(world: world).types(in: turn).contains(type) else {
                throw ManagementRefusal(.invalidRequest, "The vault is not unlocked by \(type.rawValue).")
            }
            return try aeadEncryption.open(message, .vaultUnlock, in: turn) { opened in
                let holder = try holder4(of: opened)
                let code = OnlineCode(
                    text: text, type: type, version: .four, activationID: holder.activation.id,
                    applicationKey: message.applicationKey, data: .normalized(Array(data.utf8)))
                return try openedVault(opened, holder, code, in: turn)
            }
        }
        explain(outcome, "authentication code refused")
        return response
    }

    private func openedVault(
        _ opened: OpenedMessage, _ holder: KeyedActivation, _ code: OnlineCode, in turn: Turn
    ) throws -> (Response, AuthenticationOutcome) {
        try Vault.checkReason(in: opened.object)
        let key = try vaultKey4(opened.object?["keyIdentifier"], holder.secrets.keys, code.type)
        let outcome = try authentication.verify(code, knowing: holder.activation, in: turn)
        try turn.audit(outcome, "signature", code.version.authenticationCodeFormat)
        let told: JSONValue = outcome.isValid ? ["vaultEncryptionKey": .string(Base64.encode(key))] : [:]
        let response = try aeadEncryption.enclosed(
            told, answering: opened, ["authenticationValid": .boolean(outcome.isValid)])
        return (response, outcome)
    }

    private func holder4(of opened: OpenedMessage) throws -> KeyedActivation {
        if let holder = opened.holder { return holder }
        throw EnvelopeRefusal.activationMissing
    }

    private func codeType4(_ input: Members) throws -> SignatureType {
        let type = try input.optionalText("authenticationCodeType").flatMap { SignatureType($0) }
        if let type, Set.anyOf4.contains(type) { return type }
        try input.refuse(
            "authenticationCodeType", "POSSESSION, POSSESSION_KNOWLEDGE or POSSESSION_BIOMETRY")
        return .possession
    }
}
