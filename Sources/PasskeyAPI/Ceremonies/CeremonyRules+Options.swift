import WebAuthn

extension CeremonyRules {
    func creationOptions(_ challenge: [UInt8], for user: User) -> PublicKeyMember<CreationOptions> {
        PublicKeyMember(
            CreationOptions(
                party: .init(id: party.id, name: partyName),
                user: .init(handle: user.handle, name: user.name, displayName: user.displayName),
                challenge: challenge, algorithms: Self.algorithms, timeout: timeout,
                selection: .init(
                    attachment: attachment, residentKey: residentKey, userVerification: verification),
                attestation: attestation))
    }

    /// Without transports, as the original does for the sake of some clients.
    func requestOptions(_ challenge: [UInt8], allowing allowed: [Credential] = [])
        -> PublicKeyMember<RequestOptions>
    {
        PublicKeyMember(
            RequestOptions(
                partyID: party.id, challenge: challenge, timeout: timeout,
                allowing: allowed.map { CredentialDescriptor(id: $0.id) }, userVerification: verification))
    }
}
