import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Encryption for servers in front of this one. Source of all: documentation of the PowerAuth Server 1.9, “Web Services – Methods”.
extension PowerAuth {
    static let managementEncryptionRoutes: [Route<PowerAuth>] = [
        .post("/rest/v3/ecies/decryptor", PowerAuth.makeDecryptor),
        .post("/rest/v3/keystore/create", PowerAuth.makeTemporaryKey),
        .post("/rest/v3/keystore/remove", PowerAuth.forgetTemporaryKey),
        .post("/rest/v3/token/create", PowerAuth.makeToken),
        .post("/rest/v3/vault/unlock", PowerAuth.openVault),
        .post("/rest/v3/upgrade/start", PowerAuth.beginUpgrade),
        .post("/rest/v3/upgrade/commit", PowerAuth.endUpgrade),
    ]

    /// `POST /rest/v3/ecies/decryptor`: the keys of one encrypted exchange, by which a server in front opens the request and seals its
    /// answer.
    ///
    /// - Request: `{"applicationKey", "activationId"?, "protocolVersion", "temporaryKeyId"?, "ephemeralPublicKey", "nonce"?,
    ///   "timestamp"?}`; with an activation for its scope, otherwise for that of the application.
    /// - Response: `secretKey`, 48 bytes, and `sharedInfo2`, the base of it, 32 bytes, both in Base64.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, also for a request that came before; `ERR0045`.
    func makeDecryptor(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let scope = input["activationId"] == nil ? EnvelopeScope.application : .activation
        let enclosed = try EnclosedRequest(input, scope)
        try input.check()
        // What is encrypted stays with the one who asks.
        let withheld: [String: JSONValue] = [
            "encryptedData": "", "mac": .string(Base64.encode([UInt8](repeating: 0, count: 32))),
        ]
        let members = JSONValue.object(withheld.merging(input.values) { _, own in own })
        let (keys, base) = try self.enclosed { turn in
            let sender = try encryption.sender(
                enclosed.version, key: enclosed.applicationKey, activation: enclosed.activationID, scope,
                in: turn)
            let purpose: EnvelopePurpose = scope == .application ? .applicationGeneric : .activationGeneric
            do {
                return try encryption.decryptor(
                    of: EnvelopeRequest(members, enclosed.version), from: sender, purpose, in: turn)
            } catch let fault as ProtocolFault {
                throw EnvelopeRefusal.undecipherable(fault, purpose, enclosed.version) { nil }
            }
        }
        let secret = keys.encryption.bytes + keys.authentication.bytes + keys.iv.bytes
        return .management([
            "secretKey": .string(Base64.encode(secret)), "sharedInfo2": .string(Base64.encode(base)),
        ])
    }

    /// `POST /rest/v3/keystore/create`: a key for the encrypted requests of the next minutes.
    ///
    /// - Request: `{"jwt"}`, as a device sends it to `/pa/v3/keystore/create`.
    /// - Response: `jwt`, for the device.
    /// - Errors: `ERR0024`; `ERR0045` for everything about the token.
    func makeTemporaryKey(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let token = try input.text("jwt", 1...16_384)
        try input.check()
        return .management([
            "jwt": .string(try enclosed { try TemporaryKeys(world: world).grant(token, in: $0) })
        ])
    }

    /// `POST /rest/v3/keystore/remove`: forgets such a key.
    ///
    /// - Request: `{"id"}`.
    /// - Response: `id`, `removed`, which is false for one that is not there.
    /// - Errors: `ERR0024`.
    func forgetTemporaryKey(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("id")
        try input.check()
        let isRemoved = try world.change { try $0.take(TemporaryKey.self, where: "id = \(id)") } != nil
        return .management(["id": .string(id), "removed": .boolean(isRemoved)])
    }

    /// `POST /rest/v3/token/create`: a MAC token, for a device whose code the caller had verified.
    ///
    /// - Request: `{"activationId", "applicationKey", "signatureType", "protocolVersion"}` and the members of `{}`, encrypted for the
    ///   activation (`/pa/token/create`).
    /// - Response: encrypted `{"tokenId", "tokenSecret"}`.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`.
    func makeToken(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let enclosed = try EnclosedRequest(input, .activation)
        let type = try signatureType(input)
        try input.check()
        return try self.enclosed { turn in
            try encryption.open(enclosed, .createToken, in: turn) { opened in
                let activation = try holder(of: opened)
                let token = try Token.create(for: activation, type, services.entropy, in: turn)
                return .management(try encryption.enclosed(token.told, answering: opened))
            }
        }
    }

    /// `POST /rest/v3/vault/unlock`: the key by which a device keeps its private key, when its code is right.
    ///
    /// - Request: `{"activationId", "applicationKey", "signedData", "signature", "signatureType", "signatureVersion"}` and the members of
    ///   `{"reason"?}`, encrypted for the activation (`/pa/vault/unlock`).
    /// - Response: `signatureValid`, and encrypted `{"encryptedVaultEncryptionKey"}`, an empty object for a wrong code.
    /// - Errors: `ERR0008`, `ERR0009`, `ERR0015`, `ERR0018`, `ERR0024`, `ERR0045`.
    func openVault(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let enclosed = try EnclosedRequest(input, .activation, version: "signatureVersion")
        let data = try input.text("signedData", 1...Int.max)
        let signature = try input.text("signature", 1...1024)
        let type = try signatureType(input)
        try input.check()
        let (members, outcome) = try self.enclosed { turn -> ([String: JSONValue], AuthenticationOutcome) in
            guard try Vault(world: world).types(in: turn).contains(type) else {
                throw ManagementRefusal(.invalidRequest, "The vault is not unlocked by \(type.rawValue).")
            }
            return try encryption.open(enclosed, .vaultUnlock, in: turn) { opened in
                try Vault.checkReason(in: opened.object)
                let activation = try holder(of: opened)
                let code = OnlineCode(
                    text: signature, type: type, version: .three(enclosed.version),
                    activationID: activation.id,
                    applicationKey: enclosed.applicationKey, data: .normalized(Array(data.utf8)))
                let outcome = try authentication.verify(code, knowing: activation, in: turn)
                try turn.audit(outcome, "signature", code.version.authenticationCodeFormat)
                var plaintext: [String: JSONValue] = [:]
                if outcome.isValid {
                    plaintext["encryptedVaultEncryptionKey"] = try Vault.key(of: activation).map(
                        JSONValue.string)
                }
                let sealed = try encryption.enclosed(
                    .object(plaintext), answering: opened, ["signatureValid": .boolean(outcome.isValid)])
                return (sealed, outcome)
            }
        }
        explain(outcome, "authentication code refused")
        return .management(members)
    }

    /// `POST /rest/v3/upgrade/start`: leads an activation of major version 2 to version 3. All are of version 3 here.
    ///
    /// - Request: `{"activationId", "applicationKey", "protocolVersion"}` and the members of `{}`, encrypted for the activation
    ///   (`/pa/upgrade`).
    /// - Response: none.
    /// - Errors: `ERR0008` always, but for what is wrong with the request.
    func beginUpgrade(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let enclosed = try EnclosedRequest(input, .activation)
        try input.check()
        return try self.enclosed { turn in
            try encryption.open(enclosed, .upgrade, in: turn) { throw MobileRefusal.upgraded($0.activation) }
        }
    }

    /// `POST /rest/v3/upgrade/commit`: the end of that.
    ///
    /// - Request: `{"activationId", "applicationKey"}`.
    /// - Response: none.
    /// - Errors: `ERR0008` always; `ERR0009`, `ERR0015`, `ERR0024`.
    func endUpgrade(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (id, key) = (try input.text("activationId"), try input.text("applicationKey"))
        try input.check()
        return try enclosed { turn in
            let sender = try encryption.sender(.v33, key: key, activation: id, .activation, in: turn)
            throw MobileRefusal.upgraded(sender.activation)
        }
    }

    private func holder(of opened: OpenedEnvelope) throws -> Activation {
        if let activation = opened.activation { return activation }
        throw EnvelopeRefusal.activationMissing
    }

    private func signatureType(_ input: Members) throws -> SignatureType {
        if let type = try input.optionalText("signatureType").flatMap({ SignatureType($0) }) { return type }
        try input.refuse("signatureType", "factors such as POSSESSION_KNOWLEDGE")
        return .possession
    }
}
