import WebAuthn

// Source: Hanko 2.7.
extension CeremonyRules {
    /// - Parameters:
    ///   - userID: UUID; the client gets its 16 bytes.
    ///   - excluded: credentials that an authenticator must not have yet; none at the classic endpoint.
    func creationOptions(
        _ challenge: [UInt8], for userID: String, name: String, displayName: String,
        excluding excluded: [Credential] = []
    ) -> PublicKeyMember<CreationOptions> {
        PublicKeyMember(
            CreationOptions(
                party: .init(id: relyingParty.id, name: relyingPartyName),
                user: .init(
                    handle: UUIDText.bytes(of: userID) ?? [], name: name, displayName: displayName),
                challenge: challenge, algorithms: Self.algorithms, timeout: registrationTimeout,
                excluding: excluded.map { CredentialDescriptor(id: $0.id, transports: $0.transports) },
                selection: .init(
                    attachment: attachment, residentKey: kind == .passkey ? "required" : "discouraged",
                    userVerification: userVerification),
                attestation: attestation))
    }

    /// - Parameters:
    ///   - allowed: the credentials that will do; any when there are none.
    ///   - tellsTransports: whether the client hears how to reach them. The classic endpoint never says so.
    func requestOptions(
        _ challenge: [UInt8], allowing allowed: [Credential] = [], tellsTransports: Bool = false
    ) -> PublicKeyMember<RequestOptions> {
        PublicKeyMember(
            RequestOptions(
                partyID: relyingParty.id, challenge: challenge, timeout: loginTimeout,
                allowing: allowed.map {
                    CredentialDescriptor(id: $0.id, transports: tellsTransports ? $0.transports : [])
                },
                userVerification: userVerification))
    }
}
