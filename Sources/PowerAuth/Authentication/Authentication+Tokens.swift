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
        if let refusal = Self.refusal(of: seconds, settings) { throw refusal }
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
        // The rule of encrypted requests holds for the memory of repeats as well, from 3.2 on.
        let isTimed = [.v32, .v33].contains(header.version)
        if isTimed, seconds > settings.encryptedRequestSeconds {
            throw TokenRefusal.tooFarAhead(seconds: seconds, limit: settings.encryptedRequestSeconds)
        }
        if let fault = try digestFault(of: header, token) {
            return Verdict(.refusal(.tokenDigestWrong(fault), activation, application, token.type))
        }
        let outcome = AuthenticationOutcome(
            isValid: true, activation: activation, application: application, type: token.type,
            remainingAttempts: activation.remainingAttempts(at: turn.now), failure: nil)
        let presented = Presented(header, seconds: settings.tokenSeconds)
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
}

extension Presented {
    fileprivate init(_ header: TokenHeader, seconds: Int) {
        self.init(
            value: header.tokenID + " " + Base64.encode(header.nonce), kind: .token,
            expiresAt: Date(unixMilliseconds: header.milliseconds) + Double(seconds))
    }
}
