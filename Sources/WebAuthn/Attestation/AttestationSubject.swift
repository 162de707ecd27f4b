/// What an attestation statement is about.
struct AttestationSubject {
    let data: AuthenticatorData
    let credential: AttestedCredential
    /// SHA-256 of client data.
    let clientDataHash: [UInt8]

    /// What most formats sign: authenticator data and the hash of client data.
    var signed: [UInt8] { data.bytes + clientDataHash }
}
