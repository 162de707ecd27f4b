import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v4/activation/create`: the device exchanges keys. Two encrypted layers by one temporary key.
    ///
    /// - Request: encrypted for the application (`/pa/generic/application`) `{"type","identityAttributes","customAttributes",
    ///   "activationData"}`, where `activationData` is encrypted once more (`/pa/activation`): `{"sharedSecretRequest",
    ///   "devicePublicKeys","activationName","extras","activationOtp","platform","deviceInfo"}`.
    /// - Response: `200`, encrypted `{"activationData","customAttributes","userInfo"}`, where `activationData` is encrypted once more:
    ///   `{"sharedSecretResponse","serverPublicKeys","activationId","ctrData"}`.
    /// - Errors: `ERR_ACTIVATION` for everything, also for the type RECOVERY, which protocol 4 does not have.
    /// - Source: PowerAuth documentation 2.x, “Activation”.
    func createActivation4(_ request: Request) throws -> Response {
        let wish = try change { turn in try openWish4(request, in: turn) }
        // A provider is asked outside of transactions: it may take seconds.
        let identity = try ActivationIdentification(world: world, claim: wish.claim, request: request)
            .identity()
        return try change { turn in
            let exchange = try KeyExchange(.suite(wish.agreement), wish.members)
            let made = try ActivationCreation(
                world: world, application: wish.claim.application, exchange: exchange, givesRecovery: false
            ).make(identity, in: turn)
            return try answer(wish, made.activation, in: turn)
        }
    }

    private func openWish4(_ request: Request, in turn: Turn) throws -> Wish4 {
        try aeadEncryption.open(request, .applicationGeneric, refusingAs: .activation, in: turn) { outer in
            let claim = try ActivationClaim(outer.object, of: outer.application)
            guard claim.type != .recovery else {
                throw MobileRefusal(
                    .activation, "Protocol 4 has no recovery codes: the type RECOVERY is one of 3.x.")
            }
            return try aeadEncryption.open(claim.data, inside: outer, .activationLayer, in: turn) { inner in
                guard let members = inner.object else {
                    throw MobileRefusal(.activation, "The decrypted activationData is not a JSON object.")
                }
                return Wish4(
                    claim: claim, outer: outer, inner: inner, members: members,
                    agreement: try agreement(members))
            }
        }
    }

    /// What the device offers; a fault in it ends the registration, which is not known yet.
    func agreement(
        _ members: [String: JSONValue]
    ) throws -> Result<SuiteAgreement, ProtocolFault> {
        do {
            return .success(try SuiteAgreement(members, drawing: services.entropy))
        } catch let fault as ProtocolFault {
            return .failure(fault)
        }
    }

    private func answer(_ wish: Wish4, _ activation: Activation, in turn: Turn) throws -> Response {
        let claims = try UserClaims.told(of: activation.user, services.entropy, in: turn)
        let inner = try wish.inner.sealed(
            wish.agreement.get().answer(of: activation), milliseconds: services.clock.now().unixMilliseconds)
        return try aeadEncryption.sealed(
            [
                "activationData": inner, "customAttributes": .object(wish.claim.customAttributes),
                "userInfo": .object(claims),
            ], answering: wish.outer)
    }
}

/// A decrypted request for an activation of protocol 4.0.
private struct Wish4: Sendable {
    let claim: ActivationClaim
    let outer: OpenedMessage
    let inner: OpenedMessage
    /// Of the inner layer.
    let members: [String: JSONValue]
    let agreement: Result<SuiteAgreement, ProtocolFault>
}
