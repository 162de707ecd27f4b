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
    /// - Source: PowerAuth documentation, “Activation”, “Activation recovery”, “OpenID Connect activation”.
    func createActivation(_ request: Request) throws -> Response {
        let wish = try change { turn in try openWish(request, in: turn) }
        // A provider is asked outside of transactions: it may take seconds.
        let identity = try ActivationIdentification(world: world, claim: wish.claim, request: request)
            .identity()
        return try change { turn in
            let made = try ActivationCreation(
                world: world, application: wish.inner.application, exchange: wish.inner.keyExchange()
            ).make(identity, in: turn)
            return try answer(wish, made, in: turn)
        }
    }
}

// MARK: - What comes in

extension PowerAuth {
    private func openWish(_ request: Request, in turn: Turn) throws -> OpenedActivationRequest {
        try encryption.open(request, .applicationGeneric, refusingAs: .activation, in: turn) { outer in
            let claim = try ActivationClaim(outer.object, of: outer.application)
            return OpenedActivationRequest(
                claim: claim, outer: outer, inner: try layer(in: claim.data, of: outer, turn))
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

// MARK: - What goes out

extension PowerAuth {
    private func answer(_ wish: OpenedActivationRequest, _ made: MadeActivation, in turn: Turn) throws
        -> Response
    {
        let activation = made.activation
        let claims = try UserClaims.told(of: activation.user, services.entropy, in: turn)
        return try encryption.sealed(
            [
                "activationData": try encryption.sealed(made, in: wish.inner).json,
                "customAttributes": .object(wish.claim.customAttributes),
                "userInfo": .object(claims),
            ], answering: wish.outer)
    }
}
