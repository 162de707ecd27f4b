import Crypto
import Essentials
import PlatformKit
import SQLite

/// Gives temporary keys of protocol 4.0 out: secrets that are shared with an application or with one activation.
struct TemporarySecrets {
    let world: World

    /// - Parameter token: the signed request of a device.
    /// - Returns: the signed answer, a JWS in general JSON serialization.
    /// - Throws: ``MobileRefusal``.
    func grant(_ token: String, in turn: Turn) throws -> JSONValue {
        do {
            return try grant(V4.TemporaryKeyRequest(V4.KeyedToken(unverified: token)), in: turn)
        } catch let fault as ProtocolFault {
            throw Self.refusal("The request for a temporary key cannot be read: \(fault).")
        } catch let refusal as EnvelopeRefusal {
            throw MobileRefusal(.temporaryKey, because: refusal)
        }
    }

    private func grant(_ wish: V4.TemporaryKeyRequest, in turn: Turn) throws -> JSONValue {
        let version = try ApplicationVersion.supported(wish.applicationKey.text, in: turn.db)
        let holder = try wish.activationID.map { try named($0, version, in: turn) }
        let suite = wish.sharedSecret.suite
        let ofApplication = try V4.temporaryKeyRequest(of: ApplicationSecret(version.secret))
        if let holder, wish.token.isAuthentic(try holder.secrets.keys.temporaryKeyRequest()) {
            guard suite == holder.secrets.suite else {
                throw Self.refusal(
                    "The request is for \(suite.rawValue); the activation \(holder.activation.id) is of \(holder.secrets.suite.rawValue)."
                )
            }
            return try grant(wish, signer: holder.secrets.signer(), version, holder.activation, in: turn)
        }
        guard wish.token.isAuthentic(ofApplication) else {
            throw Self.refusal(
                "The signature of the request for a temporary key is wrong: its key is derived from the application secret, decoded"
                    + (holder == nil ? "." : ", or from the secret of the activation.")
                    + (try otherReading(of: wish, version, holder).map {
                        " It would be right for \($0.name)."
                    } ?? ""))
        }
        if let holder {
            turn.note(
                "protocol 4.0", about: holder.activation.user,
                "The request for a temporary key names the activation \(holder.activation.id) and is signed as for the application "
                    + "alone: it is answered in application scope.")
        }
        let suites = try ApplicationSuites.find(version.application, in: turn.db)
        guard suites.takes(suite) else {
            throw MobileRefusal(
                .temporaryKey, because: ActivationRefusal.suiteUnsupported(suite, suites.algorithms))
        }
        return try grant(wish, signer: world.masterSigner(of: suites, suite), version, nil, in: turn)
    }

    /// The reading of the derivation in which the signature is right.
    private func otherReading(
        of wish: V4.TemporaryKeyRequest, _ version: ApplicationVersion, _ holder: KeyedActivation?
    ) throws -> V4.DerivationReading? {
        let secret = try ApplicationSecret(version.secret).decoded
        return try V4.DerivationReading.allCases.first { reading in
            let own = try holder.map {
                try reading.derive($0.secrets.secret.bytes, along: "util", "util/mac/get-act-temp-key")
            }
            return try wish.token.isAuthentic(reading.derive(secret, "util/mac/get-app-temp-key"))
                || own.map(wish.token.isAuthentic) ?? false
        }
    }

    /// One in any state in which it may ask for its status.
    private func named(
        _ id: String, _ version: ApplicationVersion, in turn: Turn
    ) throws -> KeyedActivation {
        guard let activation = try Activation.find(id, in: turn.db),
            activation.application == version.application
        else {
            throw Self.refusal("There is no activation \(id.prefix(80)) of \(version.application).")
        }
        turn.concern(activation)
        guard let holder = try activation.ofFourth(in: turn.db) else {
            throw Self.refusal(
                activation.generation.map { "The activation \(id) speaks protocol \($0), the request 4.0." }
                    ?? "The activation \(id) has exchanged no keys.")
        }
        return holder
    }

    private func grant(
        _ wish: V4.TemporaryKeyRequest, signer: V4.Signer, _ version: ApplicationVersion,
        _ activation: Activation?, in turn: Turn
    ) throws -> JSONValue {
        let entropy = world.services.entropy
        if wish.token.digest == .sha384 {
            turn.note(
                "protocol 4.0", about: activation?.user,
                "The request for a temporary key is signed by HS384, as documents have it; the source of the SDK has HS256. Both are taken."
            )
        }
        let shared = try V4.SharedSecret.answer(
            wish.sharedSecret, drawing: entropy.sharedSecretDraw("powerauth.temporary-key"))
        let expiry = turn.now + Double(try world.settings(in: turn.db).temporaryKeySeconds)
        let id = entropy.uuid(for: "powerauth.temporary-key")
        try turn.insert(
            TemporaryKey(
                id: id, applicationKey: version.key, activation: activation?.id, scalar: shared.bytes,
                suite: shared.suite, expiresAt: expiry))
        let grant = V4.TemporaryKeyGrant(
            id: id, sharedSecret: shared, issued: turn.now.unixMilliseconds,
            expires: expiry.unixMilliseconds)
        return try signer.sign(
            grant.claims(answering: wish, activationID: activation?.id),
            randomness: entropy.bytes(32, "powerauth.signature"))
    }

    private static func refusal(_ explanation: String) -> MobileRefusal {
        MobileRefusal(.temporaryKey, explanation)
    }
}

extension Entropy {
    func sharedSecretDraw(_ purpose: String) throws -> V4.SharedSecretDraw {
        V4.SharedSecretDraw(
            ephemeral: try privateKey(.p384, purpose + ".ephemeral"), salt: bytes(32, purpose + ".salt"),
            message: bytes(32, purpose + ".message"))
    }
}
