import Crypto
import Essentials
import PlatformKit
import SQLite

/// MAC tokens.
extension PowerAuth {
    /// Checks a MAC token header: window of time, digest, replay. It counts nothing but remembers the nonce of a right one.
    ///
    /// - Parameter applications: those whose tokens the caller may check; nil for all. The others have no tokens to this caller.
    /// - Returns: an outcome, or a refusal for a time outside the window or a header that came before; these are errors, not
    ///   invalid tokens.
    func verify(
        _ header: TokenHeader, within applications: [String]? = nil, in turn: inout Turn
    ) throws -> Result<AuthenticationOutcome, TokenRefusal> {
        let settings = try settings(in: turn.db)
        let seconds = Self.distance(of: header, from: turn.now)
        if let refusal = Self.refusal(of: seconds, settings) { return .failure(refusal) }
        guard let token = try turn.db.first(Token.self, where: "id = \(header.tokenID)"),
            let activation = try activation(token.activation, in: &turn)
        else { return .success(.refusal(.tokenUnknown(header.tokenID))) }
        if let applications, !applications.contains(activation.application) {
            return .success(
                .refusal(.tokenOutOfReach(header.tokenID, application: activation.application)))
        }
        let application = try Application.find(activation.application, in: turn.db)
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
        if let fault = try digestFault(of: header, token) {
            return .success(.refusal(.tokenDigestWrong(fault), activation, application, token.type))
        }
        guard try isNew(header, token, settings, in: turn) else {
            return .failure(.replayed(tokenID: token.id))
        }
        return .success(
            AuthenticationOutcome(
                isValid: true, activation: activation, application: application, type: token.type,
                remainingAttempts: activation.remainingAttempts(at: turn.now), failure: nil))
    }

    /// Seconds that the header is ahead of our clock; below zero it is late. A part of a second is one too many: what is remembered
    /// of a header ends with its time, to the millisecond.
    private static func distance(of header: TokenHeader, from now: Date) -> Int {
        // Milliseconds of 15 digits cannot overflow.
        Int((Double(header.milliseconds - now.milliseconds) / 1000).rounded(.awayFromZero))
    }

    private static func refusal(of seconds: Int, _ settings: PowerAuthSettings) -> TokenRefusal? {
        if seconds < -settings.tokenSeconds {
            return .tooOld(seconds: -seconds, limit: settings.tokenSeconds)
        }
        if seconds > settings.tokenAheadSeconds {
            return .tooFarAhead(seconds: seconds, limit: settings.tokenAheadSeconds)
        }
        return nil
    }

    /// Nil for a digest that is right.
    private func digestFault(of header: TokenHeader, _ token: Token) throws -> WrongTokenDigest? {
        let secret = try TokenSecret(token.secret.bytes)
        let isRight = header.version.mobileProtocol.isTokenDigest(
            header.digest, secret, nonce: try Nonce(header.nonce), timestamp: header.timestamp)
        return isRight ? nil : WrongTokenDigest(header: header, secret: secret)
    }

    /// Remembers a header whose digest is right, so that no stranger pushes out of a limited memory what came before.
    private func isNew(
        _ header: TokenHeader, _ token: Token, _ settings: PowerAuthSettings, in turn: Turn
    ) throws -> Bool {
        try Presented(
            value: token.id + " " + Base64.encode(header.nonce), kind: .token,
            expiresAt: Date(milliseconds: header.milliseconds) + Double(settings.tokenSeconds)
        ).remember(at: turn.now, in: turn.db)
    }

    func createToken(for activation: Activation, _ type: SignatureType, in turn: inout Turn) throws -> Token {
        let token = Token(
            id: services.entropy.uuid(for: "powerauth.token"), activation: activation.id,
            secret: Base64Bytes(services.entropy.bytes(16, "powerauth.token-secret")), type: type,
            createdAt: turn.now)
        try turn.db.insert(token)
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
