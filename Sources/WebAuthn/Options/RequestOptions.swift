import Crypto

/// What a client hands to `navigator.credentials.get()`, as JSON. ``PublicKeyMember`` is around it.
///
/// Source: Web Authentication Level 3 §5.1.9, `PublicKeyCredentialRequestOptionsJSON`; §5.5.
package struct RequestOptions: Encodable, Sendable, Equatable {
    /// Base64url.
    package let challenge: String
    /// Milliseconds.
    package let timeout: Int
    package let rpId: String
    /// The credentials that will do; left out when there are none, which makes the login discoverable.
    package let allowCredentials: [CredentialDescriptor]?
    package let userVerification: String

    package init(
        partyID: String, challenge: [UInt8], timeout: Int, allowing allowed: [CredentialDescriptor] = [],
        userVerification: UserVerification
    ) {
        (rpId, self.challenge, self.timeout) = (partyID, Base64URL.encode(challenge), timeout)
        allowCredentials = allowed.isEmpty ? nil : allowed
        self.userVerification = userVerification.rawValue
    }
}
