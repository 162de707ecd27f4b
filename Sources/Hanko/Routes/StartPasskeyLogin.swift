import HTTP
import PlatformKit

extension Hanko {
    /// `POST /webauthn/login/initialize`: options with which somebody signs in by passkey.
    ///
    /// - Request: nothing, or `{"user_id": uuid}`.
    /// - Response: `200`, the `RequestOptions`; with `allowCredentials`, without transports, for a user who has credentials.
    /// - Errors: 404 while passkeys are off; 415; 400 when `user_id` is no UUID or nobody's.
    /// - Source: Hanko 2.7, classic API.
    func startPasskeyLogin(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasskeys(configuration)
        let named = try request.members().optionalText("user_id")
        let rules = CeremonyRules(.passkey, configuration)
        let challenge = services.entropy.challenge()
        let userID = named.flatMap(UUIDText.parsed)
        let announcer = try announcer(request)
        let options = try world.change { turn in
            try announcer.auditing(.webauthnAuthenticationInitFailed, userID: userID, in: turn) {
                if let named, userID == nil { throw PasskeyRefusal.userIDUnparsable(named) }
                var credentials: [Credential] = []
                if let userID {
                    guard try turn.db.user(userID) != nil else { throw PasskeyRefusal.userUnknown(userID) }
                    credentials = try turn.db.credentials(of: userID)
                }
                // Of a user who has none the credential is to say who signs in.
                try turn.insert(
                    Challenge(
                        .authentication, challenge, for: credentials.isEmpty ? nil : userID, rules,
                        allowing: credentials, at: turn.now))
                turn.noteProspects(of: request, rules)
                try announcer.audit(.webauthnAuthenticationInitSucceeded, userID: userID, in: turn)
                return rules.requestOptions(challenge, allowing: credentials)
            }
        }
        return try .hanko(options)
    }
}
