import Crypto
import WebAuthn

/// What a client hands to `navigator.credentials.get()`: `{"publicKey": {…}}`.
///
/// Source: Hanko 2.7; Web Authentication Level 3 §5.5.
struct RequestOptions: Encodable, Sendable, Equatable {
    let rules: CeremonyRules
    let challenge: [UInt8]
    /// The credentials that will do; left out when empty, which makes the login discoverable.
    var allowed: [Credential] = []
    /// Whether the client hears how to reach them. The classic endpoint never says so.
    var tellsTransports = false

    enum CodingKeys: String, CodingKey { case publicKey }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(
            Body(
                challenge: Base64URL.encode(challenge), timeout: rules.loginTimeout,
                rpId: rules.relyingParty.id,
                allowCredentials: allowed.isEmpty
                    ? nil : allowed.map { CredentialDescriptor($0, withTransports: tellsTransports) },
                userVerification: rules.userVerification.rawValue),
            forKey: .publicKey)
    }

    /// `PublicKeyCredentialRequestOptionsJSON`
    private struct Body: Encodable {
        let challenge: String
        let timeout: Int
        let rpId: String
        let allowCredentials: [CredentialDescriptor]?
        let userVerification: String
    }
}
