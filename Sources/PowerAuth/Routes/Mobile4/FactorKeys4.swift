import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v4/vault/unlock`: a key by which the device keeps something; encrypted for the activation, the code over what was sent.
    ///
    /// - Request: `{"keyIdentifier","reason"?}`, encrypted; `KEK_DEVICE_PRIVATE`, `KDK_APP_VAULT_2FA`, or with possession and knowledge
    ///   alone `KDK_APP_VAULT_KNOWLEDGE`.
    /// - Response: `200`, encrypted `{"vaultEncryptionKey"}`, 32 bytes in Base64.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; `ERR_VALIDATION` for a blank identifier; `ERR_SECURE_VAULT` for everything else.
    /// - Source: PowerAuth documentation 2.x, “Secure vault”; *assumed* is which key takes which factors.
    func unlockVault4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticateEncrypted4(
                request, .vaultUnlock, types: Vault(world: world).types(in: turn), refusingAs: .vault,
                in: turn
            ) { sender, opened, secrets in
                try Vault.checkReason(in: opened.object)
                let key = try vaultKey4(opened.object?["keyIdentifier"], secrets.keys, sender.type)
                return try aeadEncryption.sealed(
                    ["vaultEncryptionKey": .string(Base64.encode(key))], answering: opened)
            }
        }
    }

    func vaultKey4(
        _ identifier: JSONValue?, _ keys: V4.ActivationKeys, _ type: SignatureType
    ) throws -> [UInt8] {
        guard let name = identifier?.string, name.contains(where: { !$0.isWhitespace }) else {
            throw MobileRefusal(
                .validation("keyIdentifier must not be blank"),
                "The member keyIdentifier is missing or blank.")
        }
        switch name {
        case "KEK_DEVICE_PRIVATE": return try keys.devicePrivate()
        case "KDK_APP_VAULT_2FA": return try keys.applicationVaultOfTwoFactors()
        case "KDK_APP_VAULT_KNOWLEDGE" where type == .possessionKnowledge:
            return try keys.applicationVaultOfKnowledge()
        case "KDK_APP_VAULT_KNOWLEDGE":
            throw MobileRefusal(.vault, "KDK_APP_VAULT_KNOWLEDGE is for possession and knowledge alone.")
        default:
            throw MobileRefusal(
                .vault,
                "There is no key “\(name.prefix(40))”, only KEK_DEVICE_PRIVATE, KDK_APP_VAULT_2FA, KDK_APP_VAULT_KNOWLEDGE."
            )
        }
    }

    /// `POST /pa/v4/password/change`: another key for the PIN (`/pa/password/change`, possession and knowledge), by a shared secret.
    ///
    /// - Request: `{"algorithm","encapsulationKeys"}`, encrypted for the activation; the code, over what was sent, is made with the old
    ///   PIN.
    /// - Response: `200`, encrypted `{"salt","encapsulatedKeys"}`. The new key counts from now on, the old one until a code is made with
    ///   the new one.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; `ERR_PASSWORD_CHANGE` for everything else.
    /// - Source: PowerAuth documentation 2.x, “Dynamic factor keys”; *assumed* is that both keys count.
    func changePassword4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticateEncrypted4(request, .changePassword, refusingAs: .passwordChange, in: turn) {
                _, opened, _ in
                try aeadEncryption.sealed(exchange(.password, opened, in: turn), answering: opened)
            }
        }
    }

    /// `POST /pa/v4/biometry/add`: a key for biometry (`/pa/biometry/add`, possession and knowledge), by a shared secret.
    ///
    /// - Request: `{"algorithm","encapsulationKeys"}`, encrypted for the activation; the code covers what was sent.
    /// - Response: `200`, encrypted `{"salt","encapsulatedKeys"}`. It is the current key where there was none, and otherwise the next one.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; `ERR_BIOMETRY` for everything else.
    /// - Source: PowerAuth documentation 2.x, “Dynamic factor keys”.
    func addBiometry4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticateEncrypted4(request, .addBiometry, refusingAs: .biometry, in: turn) {
                _, opened, _ in
                try aeadEncryption.sealed(exchange(.biometry, opened, in: turn), answering: opened)
            }
        }
    }

    /// `POST /pa/v4/biometry/remove`: no code of biometry is right from now on (`/pa/biometry/remove`, possession).
    ///
    /// - Request: anything, also nothing; the code covers it.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`.
    /// - Source: PowerAuth documentation 2.x, “Dynamic factor keys”.
    func removeBiometry4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate4(request, uriID: "/pa/biometry/remove", types: [.possession], in: turn) {
                sender in
                guard var secrets = try sender.activation.secrets(in: turn.db) else {
                    throw MobileRefusal(.biometry, "The activation \(sender.activation.id) has no keys.")
                }
                (secrets.biometryKey, secrets.nextBiometryKey) = (nil, nil)
                try turn.update(secrets)
            }
        }
        return .powerAuth()
    }

    /// Makes the shared secret of an exchange the key of a factor: the current one of biometry where there was none, and otherwise the next
    /// one, which counts beside the current until a code is made with it.
    ///
    /// - Returns: what the device makes the same secret of.
    /// - Throws: ``MobileRefusal``.
    func exchange(_ factor: ExchangedFactor, _ opened: OpenedMessage, in turn: Turn) throws -> JSONValue {
        // Read again: a code of this turn may have made another key the current one.
        guard let id = opened.holder?.activation.id, var secrets = try ActivationSecrets.find(id, in: turn.db)
        else { throw MobileRefusal(factor.refusal, "The activation has no keys of protocol 4.") }
        let shared = try newSecret4(opened, secrets, refusingAs: factor.refusal)
        switch factor {
        case .password: secrets.nextKnowledgeKey = Base64Bytes(shared.bytes)
        case .biometry where secrets.biometryKey == nil: secrets.biometryKey = Base64Bytes(shared.bytes)
        case .biometry: secrets.nextBiometryKey = Base64Bytes(shared.bytes)
        }
        try turn.update(secrets)
        return shared.json
    }

    private func newSecret4(
        _ opened: OpenedMessage, _ secrets: ActivationSecrets, refusingAs kind: MobileRefusal.Kind
    ) throws -> V4.SharedSecret {
        do {
            let wish = try V4.SharedSecretRequest(.object(opened.object ?? [:]))
            guard wish.suite == secrets.suite else {
                throw MobileRefusal(
                    kind,
                    "The exchange is of \(wish.suite.rawValue), the activation of \(secrets.suite.rawValue).")
            }
            return try V4.SharedSecret.answer(
                wish, drawing: services.entropy.sharedSecretDraw("powerauth.factor-key"))
        } catch let fault as ProtocolFault {
            throw MobileRefusal(kind, "The request for a shared secret cannot be used: \(fault).")
        }
    }
}

/// A factor whose key is replaced by an exchange.
enum ExchangedFactor: Sendable {
    case password
    case biometry

    var purpose: V4.MessagePurpose {
        switch self {
        case .password: .changePassword
        case .biometry: .addBiometry
        }
    }

    var refusal: MobileRefusal.Kind {
        switch self {
        case .password: .passwordChange
        case .biometry: .biometry
        }
    }
}
