import Crypto
import Essentials
import PlatformKit
import SQLite

/// Gives temporary keys out. Source: PowerAuth documentation, “Temporary keys”.
struct TemporaryKeys {
    let world: World

    /// - Parameter token: the signed request of a device.
    /// - Returns: the signed answer.
    /// - Throws: ``MobileRefusal``.
    func grant(_ token: String, in turn: Turn) throws -> String {
        let wish: TemporaryKeyRequest
        do {
            wish = try TemporaryKeyRequest(unverified: token)
        } catch let fault as ProtocolFault {
            throw MobileRefusal(.temporaryKey, "The request for a temporary key cannot be read: \(fault).")
        }
        return try grant(wish, in: turn)
    }

    private func grant(_ wish: TemporaryKeyRequest, in turn: Turn) throws -> String {
        let version: ApplicationVersion
        do {
            version = try ApplicationVersion.supported(wish.applicationKey.text, in: turn.db)
        } catch let refusal as EnvelopeRefusal {
            throw MobileRefusal(.temporaryKey, because: refusal)
        }
        let activation = try wish.activationID.map { try holder($0, version, in: turn) }
        let secret = try ApplicationSecret(version.secret)
        guard wish.isAuthentic(secret: secret, transport: try activation?.derivedKeys()?.transport) else {
            throw MobileRefusal(
                .temporaryKey,
                "The signature of the request for a temporary key is wrong: it takes the application secret, decoded"
                    + (activation == nil ? "." : ", bound to the transport key of the activation."))
        }
        return try grant(wish, to: activation, version, in: turn)
    }

    /// One that may be blocked: it gets a key and cannot use it.
    private func holder(_ id: String, _ version: ApplicationVersion, in turn: Turn) throws -> Activation {
        guard let activation = try Activation.find(id, in: turn.db),
            activation.application == version.application
        else {
            throw MobileRefusal(
                .temporaryKey, "There is no activation \(id.prefix(80)) of \(version.application).")
        }
        turn.concern(activation)
        guard activation.generation != 4 else {
            throw MobileRefusal(
                .temporaryKey, because: EnvelopeRefusal.activationOfOtherProtocol(id, 4))
        }
        guard [.active, .blocked].contains(activation.state(at: turn.now)) else {
            throw MobileRefusal(
                .temporaryKey,
                "The activation \(id) is \(activation.state(at: turn.now).rawValue), expected ACTIVE or BLOCKED."
            )
        }
        return activation
    }

    private func grant(
        _ wish: TemporaryKeyRequest, to activation: Activation?, _ version: ApplicationVersion, in turn: Turn
    ) throws -> String {
        let signer: PrivateKey
        if let activation {
            signer = try PrivateKey(scalar: activation.serverKey.bytes)
        } else if let application = try Application.find(version.application, in: turn.db) {
            signer = try world.masterKey(of: application)
        } else {
            throw StoredValueUnknown(table: "powerauth_application_version", id: version.key)
        }
        let seconds = try world.settings(in: turn.db).temporaryKeySeconds
        let key = try PrivateKey.generate(.ec(.p256))
        let expiry = turn.now + Double(seconds)
        let id = world.services.entropy.uuid(for: "powerauth.temporary-key")
        try turn.insert(
            TemporaryKey(
                id: id, applicationKey: version.key, activation: activation?.id, scalar: try key.ecSecret(),
                expiresAt: expiry))
        let grant = TemporaryKeyGrant(
            id: id, publicKey: key.publicKey, issued: turn.now.unixMilliseconds,
            expires: expiry.unixMilliseconds)
        return try world.services.sign(
            grant.claims(answering: wish),
            SigningSubject(
                Vendor.name, "temporary_key", user: activation?.user, client: version.application),
            header: TemporaryKeyGrant.header, by: signer)
    }
}
