import Crypto
import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension Hanko {
    /// `POST /webauthn/registration/initialize`: options with which the signed-in user makes a passkey.
    ///
    /// - Request: a session; the body is not looked at.
    /// - Response: `200`, the `CreationOptions`, without `excludeCredentials`: a device may be registered again.
    /// - Errors: 404 while passkeys are off; 401; 400 when the user is gone; 500 when the user has no primary address.
    /// - Source: Hanko 2.7, classic API.
    func startPasskeyRegistration(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasskeys(configuration)
        let rules = CeremonyRules(.passkey, configuration)
        let announcer = try announcer(request)
        let options = try change(for: request) { turn, accepted in
            let (userID, challenge) = (accepted.session.userID, services.entropy.challenge())
            return try announcer.auditing(.webauthnRegistrationInitFailed, userID: userID, in: turn) {
                guard let account = try turn.db.account(userID) else {
                    throw PasskeyRefusal.userUnknown(userID)
                }
                guard let name = account.primaryEmail?.address else {
                    throw PasskeyRefusal.nameless(userID)
                }
                try turn.insert(Challenge(.registration, challenge, for: userID, rules, at: turn.now))
                turn.noteProspects(of: request, rules)
                try announcer.audit(.webauthnRegistrationInitSucceeded, userID: userID, in: turn)
                return rules.creationOptions(challenge, for: userID, name: name, displayName: name)
            }
        }
        return try .hanko(options)
    }

    func requirePasskeys(_ configuration: Configuration) throws {
        guard configuration.hasPasskeys else {
            throw HankoRefusal.switchedOff("WebAuthn", by: "passkey.enabled must be true")
        }
    }
}

extension Challenge {
    /// A challenge as the options carry it, which ends with them.
    init(
        _ ceremony: Ceremony, _ challenge: [UInt8], for userID: String?, _ rules: CeremonyRules,
        allowing credentials: [Credential] = [], at now: Date
    ) {
        let timeout = ceremony == .registration ? rules.registrationTimeout : rules.loginTimeout
        self.init(
            challenge: Base64URL.encode(challenge), ceremony: ceremony, userID: userID,
            userVerification: rules.userVerification.rawValue, allowedCredentials: credentials.map(\.id),
            createdAt: now, expiresAt: now.addingTimeInterval(Double(timeout) / 1000))
    }
}
