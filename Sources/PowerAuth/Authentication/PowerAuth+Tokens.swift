import Crypto
import Essentials
import PlatformKit

/// MAC tokens.
extension PowerAuth {
    /// Checks a MAC token header: window of time, digest, replay. It counts nothing but remembers the nonce of a right one.
    ///
    /// - Returns: an outcome, or a refusal for a time outside the window or a header that came before; these are errors, not
    ///   invalid tokens.
    func verify(_ header: TokenHeader, in turn: inout Turn) throws -> Result<
        AuthenticationOutcome, TokenRefusal
    > {
        let settings = try settings(in: turn.db)
        // Milliseconds of 15 digits cannot overflow.
        let milliseconds = header.milliseconds - turn.now.milliseconds
        // A part of a second is one too many: what is remembered of a header ends with its time, to the millisecond.
        let seconds = Int((Double(milliseconds) / 1000).rounded(.awayFromZero))
        if seconds < -settings.tokenSeconds {
            return .failure(.tooOld(seconds: -seconds, limit: settings.tokenSeconds))
        }
        if seconds > settings.tokenAheadSeconds {
            return .failure(.tooFarAhead(seconds: seconds, limit: settings.tokenAheadSeconds))
        }
        guard let token = try tokens.find(header.tokenID, in: turn.db),
            let activation = try activation(token.activation, in: &turn)
        else { return .success(.refusal(.tokenUnknown(header.tokenID))) }
        let application = try applications.find(activation.application, in: turn.db)
        guard activation.state == .active else {
            return .success(
                .refusal(
                    .activationNotActive(
                        activation.id, activation.state, blockedReason: activation.blockedReason),
                    activation, application, token.type))
        }
        // The rule of encrypted requests holds for the memory of repeats as well, from 3.2 on.
        let isTimed = [.v32, .v33].contains(header.version)
        if isTimed, seconds > settings.encryptedRequestSeconds {
            return .failure(.tooFarAhead(seconds: seconds, limit: settings.encryptedRequestSeconds))
        }
        let secret = try TokenSecret(token.secret)
        let isRight = header.version.mobileProtocol.isTokenDigest(
            header.digest, secret, nonce: try Nonce(header.nonce), timestamp: header.timestamp)
        guard isRight else {
            let fault = WrongTokenDigest(header: header, secret: secret)
            return .success(.refusal(.tokenDigestWrong(fault), activation, application, token.type))
        }
        // Behind the digest: the memory is limited, and no stranger shall push out of it what came before.
        let isNew = try replays.remember(
            token.id + " " + Base64.encode(header.nonce), kind: .token,
            until: Date(milliseconds: header.milliseconds) + Double(settings.tokenSeconds), at: turn.now,
            in: turn.db)
        guard isNew else { return .failure(.replayed(tokenID: token.id)) }
        return .success(
            AuthenticationOutcome(
                isValid: true, activation: activation, application: application, type: token.type,
                remainingAttempts: activation.remainingAttempts(at: turn.now), failure: nil))
    }

    func createToken(for activation: Activation, _ type: SignatureType, in turn: inout Turn) throws -> Token {
        let token = Token(
            id: services.entropy.uuid(for: "powerauth.token"), activation: activation.id,
            secret: services.entropy.bytes(16, "powerauth.token-secret"), type: type, createdAt: turn.now)
        try tokens.insert(token, in: turn.db)
        return token
    }
}

extension AuthenticationOutcome {
    fileprivate static func refusal(
        _ failure: AuthenticationFailure, _ activation: Activation? = nil, _ application: Application? = nil,
        _ type: SignatureType? = nil
    ) -> AuthenticationOutcome {
        AuthenticationOutcome(
            isValid: false, activation: activation, application: application, type: type,
            remainingAttempts: 0, failure: failure)
    }
}
