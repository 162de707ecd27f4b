import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/vault/unlock`: the key by which the device keeps its private key; encrypted for the activation, then signed
    /// (`/pa/vault/unlock`).
    ///
    /// - Request: `{"reason"}`, optional, 3 to 255 of letters, digits, `_`, `.` and `-`; the code covers the encrypted body.
    /// - Response: `200`, encrypted `{"encryptedVaultEncryptionKey"}`, 32 bytes in Base64.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID` for the code, the header, an application key that is not known or an activation
    ///   that is not active; `ERR_SECURE_VAULT` for the type, the encryption and the reason, before the code is looked at.
    /// - Source: PowerAuth documentation, “Secure vault”.
    func unlockVault(_ request: Request) throws -> Response {
        try change { turn in
            let types = try Vault(world: world).types(in: turn)
            let header = try authorizationHeader(of: request, in: turn)
            guard types.contains(header.type) else {
                throw MobileRefusal(
                    .vault, because: AuthenticationRefusal.typeNotAllowed(header.type, allowed: types))
            }
            // Who cannot be told by the header is not authenticated, which is counted; only the others are decrypted.
            guard let known = try openable(header, in: turn) else {
                return try authenticate(request, uriID: Self.vaultURI, types: types, in: turn) {
                    throw Self.keysMissing($0.activation)
                }
            }
            return try encryption.open(request, .vaultUnlock, refusingAs: .vault, knowing: known, in: turn) {
                opened in
                try Vault.checkReason(in: opened.object)
                return try authenticate(
                    request, uriID: Self.vaultURI, types: types, knowing: known, in: turn
                ) { sender in
                    guard let key = try Vault.key(of: sender.activation) else {
                        throw Self.keysMissing(sender.activation)
                    }
                    return try encryption.sealed(
                        ["encryptedVaultEncryptionKey": .string(key)], answering: opened)
                }
            }
        }
    }

    private static func keysMissing(_ activation: Activation) -> MobileRefusal {
        MobileRefusal(.vault, "The activation \(activation.id) has no keys.")
    }

    private static let vaultURI = "/pa/vault/unlock"

    /// The activation, if what it encrypted can be opened.
    private func openable(_ header: AuthorizationHeader, in turn: Turn) throws -> Activation? {
        guard let version = try ApplicationVersion.find(header.applicationKey, in: turn.db),
            let activation = try Activation.find(header.activationID, in: turn.db)
        else { return nil }
        let isOpenable =
            version.isSupported && version.application == activation.application
            && activation.state(at: turn.now) == .active
        return isOpenable ? activation : nil
    }
}

/// What unlocking takes and gives, here and through a server in front.
struct Vault {
    let world: World

    func types(in turn: Turn) throws -> Set<SignatureType> {
        try world.settings(in: turn.db).unlocksVaultByBiometry
            ? [.possessionKnowledge, .possessionBiometry] : [.possessionKnowledge]
    }

    /// - Throws: ``MobileRefusal``.
    static func checkReason(in members: [String: JSONValue]?) throws {
        guard let object = members else {
            throw MobileRefusal(.vault, "The decrypted request is not a JSON object.")
        }
        guard let reason = object["reason"], !reason.isNull else { return }
        let isAllowed = reason.string.map { text in
            3...255 ~= text.utf8.count
                && text.utf8.allSatisfy { byte in
                    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                        || "_.-".utf8.contains(byte)
                }
        }
        guard isAllowed == true else {
            throw MobileRefusal(.vault, "The reason must be 3 to 255 of letters, digits, “_”, “.” and “-”.")
        }
    }

    /// The key by which the device keeps its private key, encrypted for it, 32 bytes in Base64; nil before the key exchange.
    static func key(of activation: Activation) throws -> String? {
        try activation.derivedKeys().map { Base64.encode(try VaultKeyDelivery.encrypted($0)) }
    }
}
