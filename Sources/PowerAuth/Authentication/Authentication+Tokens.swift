import Crypto
import Essentials
import PlatformKit
import SQLite

// MAC tokens.
extension Authentication {
    /// Checks a MAC token header: window of time, digest, replay. A right one is remembered, and nothing else, so that no stranger
    /// pushes out of a limited memory what came before.
    func judge(
        _ header: TokenHeader, within applications: [String]? = nil, in turn: Turn
    ) throws -> Verdict {
        let settings = try world.settings(in: turn.db)
        let seconds = Self.distance(of: header, from: turn.now)
        if let refusal = Self.refusal(of: seconds, header.version, settings) { throw refusal }
        guard let token = try turn.first(Token.self, where: "id = \(header.tokenID)"),
            let stored = try Activation.find(token.activation, in: turn.db)
        else { return Verdict(.refusal(.tokenUnknown(header.tokenID))) }
        let activation = stored.told(at: turn.now)
        if let applications, !applications.contains(activation.application) {
            return Verdict(
                .refusal(.tokenOutOfReach(header.tokenID, application: activation.application)))
        }
        let application = try Application.find(activation.application, in: turn.db)
        guard activation.state == .active else {
            return Verdict(
                .refusal(.activationNotActive(activation), activation, application, token.type)
            ) { _ = try Activations(world).current(stored, in: $0) }
        }
        if let generation = activation.generation, generation != header.version.generation {
            return Verdict(
                .refusal(
                    .protocolOther(activation.id, header.version, activation: generation), activation,
                    application, token.type))
        }
        // The rule of encrypted requests holds for the memory of repeats as well, from 3.2 on.
        let isTimed = [.three(.v32), .three(.v33)].contains(header.version)
        if isTimed, seconds > settings.encryptedRequestSeconds {
            throw TokenRefusal.tooFarAhead(seconds: seconds, limit: settings.encryptedRequestSeconds)
        }
        if let fault = try digestFault(of: header, token) {
            return Verdict(.refusal(.tokenDigestWrong(fault), activation, application, token.type))
        }
        let outcome = AuthenticationOutcome(
            isValid: true, activation: activation, application: application, type: token.type,
            remainingAttempts: activation.remainingAttempts(at: turn.now), failure: nil)
        let presented = Presented(header, seconds: Self.limits(header.version, settings).past)
        return Verdict(outcome) { turn in
            guard try presented.remember(at: turn.now, in: turn.db) else {
                throw TokenRefusal.replayed(tokenID: token.id)
            }
        }
    }

    /// Seconds that the header is ahead of our clock; below zero it is late. A part of a second is one too many: what is remembered
    /// of a header ends with its time, to the millisecond.
    private static func distance(of header: TokenHeader, from now: Date) -> Int {
        // Milliseconds of 15 digits cannot overflow.
        Int(saturating: Double(header.milliseconds - now.unixMilliseconds) / 1000, .awayFromZero)
    }

    private static func refusal(
        of seconds: Int, _ version: RequestVersion, _ settings: PowerAuthSettings
    ) -> TokenRefusal? {
        let limits = limits(version, settings)
        if seconds < -limits.past { return .tooOld(seconds: -seconds, limit: limits.past) }
        if seconds > limits.ahead { return .tooFarAhead(seconds: seconds, limit: limits.ahead) }
        return nil
    }

    /// How far the time of a header may be from ours, in seconds.
    private static func limits(
        _ version: RequestVersion, _ settings: PowerAuthSettings
    ) -> (past: Int, ahead: Int) {
        switch version {
        case .three: (settings.tokenSeconds, settings.tokenAheadSeconds)
        case .four: (settings.protocol4Seconds, settings.protocol4Seconds)
        }
    }

    /// Nil for a digest that is right.
    private func digestFault(of header: TokenHeader, _ token: Token) throws -> WrongTokenDigest? {
        let isRight = try header.version.isTokenDigest(
            header.digest, token.secret.bytes, nonce: Nonce(header.nonce), timestamp: header.timestamp)
        return isRight ? nil : WrongTokenDigest(header: header, secret: token.secret.bytes)
    }
}

extension Presented {
    fileprivate init(_ header: TokenHeader, seconds: Int) {
        self.init(
            value: header.tokenID + " " + Base64.encode(header.nonce), kind: .token,
            expiresAt: Date(unixMilliseconds: header.milliseconds) + Double(seconds))
    }
}
