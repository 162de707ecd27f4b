import Crypto
import PlatformKit
import SQLite

extension Activation {
    /// 3 or 4: the protocol that it speaks, which its CTR_DATA tells; nil before the key exchange.
    var generation: Int? {
        counterData.map { $0.bytes.count == V4.keyCount ? 4 : 3 }
    }

    /// What it has beside this, if it speaks protocol 4.0.
    func secrets(in db: Connection) throws -> ActivationSecrets? {
        generation == 4 ? try ActivationSecrets.find(id, in: db) : nil
    }

    /// It with its keys as one of protocol 4.0, also while the device has still to confirm the upgrade; nil for one of 3.x.
    func ofFourth(in db: Connection) throws -> KeyedActivation? {
        guard let secrets = try ActivationSecrets.find(id, in: db) else { return nil }
        var upgraded = self
        if generation != 4 {
            guard let data = secrets.upgradeCounterData else { return nil }
            upgraded.counterData = data
        }
        return KeyedActivation(activation: upgraded, secrets: secrets)
    }

    /// Those of authentication codes; nil before the key exchange.
    func codeKeys(in db: Connection) throws -> CodeKeys? {
        if generation == 4 { return try secrets(in: db).map { .v4(try $0.factorKeys()) } }
        return try factorKeys().map(CodeKeys.v3)
    }

    /// The key by which the server signs for it, over the curve of its protocol.
    func signingKey(in db: Connection) throws -> PrivateKey {
        if let secrets = try secrets(in: db) { return try PrivateKey(.p384, scalar: secrets.serverKey.bytes) }
        return try PrivateKey(scalar: serverKey.bytes)
    }

    /// The key of a QR code that is for it alone.
    func offlineKey(in db: Connection) throws -> OfflineQRCode.Key {
        guard let secrets = try secrets(in: db) else { return .personalized(try signingKey(in: db)) }
        return .shared(try secrets.keys.personalizedData())
    }

    /// The public key of the device, over the curve of its protocol; nil before the key exchange.
    func deviceSigningKey(in db: Connection) throws -> PublicKey? {
        if let secrets = try secrets(in: db) { return try PublicKey(.p384, x962: secrets.deviceKey.bytes) }
        return try devicePoint.map { try PublicKey(x962: $0.bytes) }
    }

    /// The number that the app shows before the commit; nil before the key exchange.
    func fingerprint(in db: Connection) throws -> String? {
        generation == 4 ? try secrets(in: db)?.fingerprint() : try fingerprint()
    }
}

/// An activation with its keys of protocol 4.0.
struct KeyedActivation: Sendable {
    let activation: Activation
    let secrets: ActivationSecrets
}

extension ActivationSecrets {
    /// Makes the next key of a factor the current one.
    static func settle(_ type: SignatureType, of activation: String, in turn: Turn) throws {
        guard let secrets = try find(activation, in: turn.db) else { return }
        try turn.update(secrets.settled(type))
        turn.note(
            "protocol 4.0",
            "The activation \(activation) made a code with its next key of \(type.factors.last?.rawValue ?? ""): it is the current one from now on. "
                + "Until then both were taken.")
    }
}
