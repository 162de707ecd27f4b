/// What an attestation statement is about.
struct AttestationSubject {
    let data: AuthenticatorData
    let credential: AttestedCredential
    /// As they came.
    let clientData: [UInt8]
    /// SHA-256 of client data.
    let clientDataHash: [UInt8]

    /// What most formats sign: authenticator data and the hash of client data.
    var signed: [UInt8] { data.bytes + clientDataHash }

    /// Why a signature over ``signed`` is wrong.
    func finding(on signature: [UInt8], isValid: @escaping ([UInt8], [UInt8]) -> Bool) -> String? {
        SignatureDoctor(isValid: isValid, authenticatorData: data.bytes, clientData: clientData)
            .finding(on: signature)
    }
}
