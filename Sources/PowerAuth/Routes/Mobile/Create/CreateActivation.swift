import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /pa/v3/activation/create`: the device exchanges keys. Two encrypted layers, each an exchange of its own.
    ///
    /// - Request: encrypted for the application (`/pa/generic/application`) `{"type","identityAttributes","customAttributes",
    ///   "activationData"}`, where `activationData` is encrypted once more (`/pa/activation`): `{"devicePublicKey","activationName",
    ///   "extras","activationOtp","platform","deviceInfo"}`.
    /// - Response: `200`, encrypted `{"activationData","customAttributes","userInfo"}`, where `activationData` is encrypted once more:
    ///   `{"activationId","serverPublicKey","ctrData","activationRecovery"}`.
    /// - Errors: `ERR_ACTIVATION` for everything, but `INVALID_RECOVERY_CODE` for a wrong recovery code or PUK.
    /// - Source: PowerAuth documentation, «Activation», «Activation recovery», «OpenID Connect activation».
    func createActivation(_ request: Request) throws -> Response {
        let wish = try change { turn in try openWish(request, in: turn) }
        // A provider is asked outside of transactions: it may take seconds.
        let identity = try identify(wish, request)
        return try change { turn in
            let made = try make(wish.inner, identity, in: turn)
            return try answer(wish, made, in: turn)
        }
    }
}

// MARK: - What comes in

extension PowerAuth {
    private func openWish(_ request: Request, in turn: Turn) throws -> ActivationWish {
        try encryption.open(request, .applicationGeneric, refusingAs: .activation, in: turn) { outer in
            guard let object = Self.object(outer.plaintext) else {
                throw MobileRefusal(.activation, "The decrypted request is no JSON object.")
            }
            // Documents call it activationType, SDKs send type.
            guard let name = (object["type"] ?? object["activationType"])?.string,
                let type = ActivationWish.Kind(rawValue: name)
            else {
                throw MobileRefusal(
                    .activation, "The member type must be one of CODE, CUSTOM, DIRECT, RECOVERY.")
            }
            guard let attributes = object["identityAttributes"]?.object, !attributes.isEmpty else {
                throw MobileRefusal(.activation, "The member identityAttributes is missing or empty.")
            }
            guard let data = object["activationData"], data.object != nil else {
                throw MobileRefusal(.activation, "The member activationData must be an encrypted object.")
            }
            return ActivationWish(
                type: type, attributes: attributes.compactMapValues(\.string),
                customAttributes: object["customAttributes"]?.object ?? [:], outer: outer,
                inner: try layer(in: data, of: outer, turn))
        }
    }

    /// - Throws: ``EnvelopeRefusal``, or ``MobileRefusal``.
    private func layer(
        in data: JSONValue, of outer: OpenedEnvelope, _ turn: Turn
    ) throws -> ActivationLayer {
        let sender = Encryption.Sender(
            version: outer.version, application: outer.application,
            applicationVersion: outer.applicationVersion, activation: nil, outer: outer)
        return try encryption.open(data, from: sender, .activationLayer2, in: turn) { inner in
            guard inner.envelope.request.temporaryKeyID == outer.envelope.request.temporaryKeyID else {
                throw MobileRefusal(.activation, "The two layers name different temporary keys.")
            }
            return try ActivationLayer(inner)
        }
    }
}

// MARK: - What is made of it

extension PowerAuth {
    /// - Parameter givesRecovery: whether the device gets a recovery code where the application has them.
    func make(
        _ layer: ActivationLayer, _ identity: ActivationIdentity, givesRecovery: Bool = true,
        in turn: Turn
    ) throws -> MadeActivation {
        let fresh: Activation
        switch identity {
        case .code(let code): fresh = try registration(code, of: layer.application, in: turn)
        case .user(let user, let terms):
            fresh = try newActivation(of: user, terms, layer.application, in: turn)
        case .recovery(let code, let puk, let terms):
            return try recover(layer, code: code, puk: puk, terms, givesRecovery: givesRecovery, in: turn)
        }
        return try complete(fresh, layer, givesRecovery: givesRecovery, in: turn)
    }

    func newActivation(
        of user: String, _ terms: ActivationTerms, _ application: Application, in turn: Turn
    ) throws -> Activation {
        do {
            return try activations.create(
                NewActivation(
                    user: user, application: application.id, otp: terms.otp,
                    commitPhase: terms.isCommitted ? .onKeyExchange : .onCommit, expiresAt: terms.expiresAt,
                    maxFailedAttempts: terms.maxFailedAttempts, hasCode: false), in: turn)
        } catch let refusal as ActivationRefusal {
            throw MobileRefusal(.activation, because: refusal)
        }
    }

    /// Exchanges the keys, and gives a recovery code where the application has them.
    func complete(
        _ activation: Activation, _ layer: ActivationLayer, givesRecovery: Bool, in turn: Turn
    ) throws -> MadeActivation {
        let active: Activation
        do {
            active = try activations.exchangeKeys(layer.keyExchange, with: activation, in: turn)
        } catch let refusal as ActivationRefusal {
            throw MobileRefusal(.activation, because: refusal)
        }
        let offers = givesRecovery && layer.application.offersRecovery
        return MadeActivation(
            activation: active, recovery: offers ? try giveRecoveryCode(to: active, in: turn) : nil)
    }

    /// The registration that waits for this code in this application.
    private func registration(
        _ code: String, of application: Application, in turn: Turn
    ) throws -> Activation {
        let known = try Activation.all(withCode: code, in: application.id, turn.db)
        guard let newest = known.first else { throw try unknownCode(code, application, in: turn) }
        let state = newest.state(at: turn.now)
        if state == .created { return newest }
        let refusal = Self.unusable(
            state == .removed
                ? "The activation code was not used in time, or its activation \(newest.id) was removed."
                : "The activation code was used already: the activation \(newest.id) is \(state.rawValue).")
        // Its time may be over, which is then stored.
        throw turn.kept(refusal) { _ = try activations.find(newest.id, in: $0) }
    }

    private func unknownCode(_ code: String, _ application: Application, in turn: Turn) throws
        -> MobileRefusal
    {
        let foreign = try turn.db.all(Application.self).first { other in
            try other.id != application.id
                && !Activation.all(withCode: code, in: other.id, turn.db).isEmpty
        }
        if let foreign {
            return Self.unusable(
                "The activation code belongs to \(foreign.id), the device is configured for \(application.id)."
            )
        }
        let isWellFormed = (try? ActivationCode(code)) != nil
        return Self.unusable(
            "The application \(application.id) has no activation with the code «\(code.prefix(40))»"
                + (isWellFormed ? "." : ", whose form or check sum is wrong as well: it was mistyped."))
    }

    private static func unusable(_ reason: String) -> MobileRefusal {
        MobileRefusal(.activation, because: ActivationRefusal.codeUnusable(reason))
    }
}

// MARK: - What goes out

extension PowerAuth {
    private func answer(_ wish: ActivationWish, _ made: MadeActivation, in turn: Turn) throws -> Response {
        let activation = made.activation
        let claims = try claims(of: activation.user, in: turn)
        return try encryption.sealed(
            [
                "activationData": try sealed(made, in: wish.inner).json,
                "customAttributes": .object(wish.customAttributes),
                "userInfo": .object(claims),
            ], answering: wish.outer)
    }

    /// The answer to the key exchange.
    func sealed(_ made: MadeActivation, in layer: ActivationLayer) throws -> EnvelopeResponse {
        var members: [String: JSONValue] = [
            "activationId": .string(made.activation.id),
            "serverPublicKey": .string(Base64.encode(made.activation.serverPoint)),
            "ctrData": .string(Base64.encode(made.activation.counterData?.bytes ?? [])),
        ]
        members["activationRecovery"] = made.recovery.map { code in
            ["recoveryCode": .string(code.code), "puk": .string(code.puks.first?.value ?? "")]
        }
        return try encryption.seal(JSONValue.object(members).bytes, in: layer.opened.envelope)
    }
}
