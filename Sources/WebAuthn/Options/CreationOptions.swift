import Crypto
import WebAuthn

/// What a client hands to `navigator.credentials.create()`: `{"publicKey": {…}}`.
///
/// Source: Hanko 2.7; Web Authentication Level 3 §5.4.
struct CreationOptions: Encodable, Sendable, Equatable {
    /// For whom the credential is made.
    struct User: Sendable, Equatable {
        /// UUID; the client gets its 16 bytes.
        let id: String
        let name: String
        let displayName: String
    }

    let rules: CeremonyRules
    let challenge: [UInt8]
    let user: User
    /// Credentials that an authenticator must not have yet; left out when empty, as the classic endpoint always does.
    var excluded: [Credential] = []

    enum CodingKeys: String, CodingKey { case publicKey }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let mayReside = rules.kind == .passkey
        try members.encode(
            Body(
                rp: .init(name: rules.relyingPartyName, id: rules.relyingParty.id),
                user: .init(
                    name: user.name, displayName: user.displayName,
                    id: Base64URL.encode(UUIDText.bytes(of: user.id) ?? [])),
                challenge: Base64URL.encode(challenge),
                pubKeyCredParams: CeremonyRules.algorithms.map { .init(alg: $0.rawValue) },
                timeout: rules.registrationTimeout,
                excludeCredentials: excluded.isEmpty
                    ? nil : excluded.map { CredentialDescriptor($0, withTransports: true) },
                authenticatorSelection: .init(
                    authenticatorAttachment: rules.attachment, requireResidentKey: mayReside,
                    residentKey: mayReside ? "required" : "discouraged",
                    userVerification: rules.userVerification.rawValue),
                attestation: rules.attestation),
            forKey: .publicKey)
    }

    /// `PublicKeyCredentialCreationOptionsJSON`
    private struct Body: Encodable {
        struct Party: Encodable {
            let name: String
            let id: String
        }

        struct Account: Encodable {
            let name: String
            let displayName: String
            let id: String
        }

        struct Parameter: Encodable {
            var type = "public-key"
            let alg: Int
        }

        struct Selection: Encodable {
            let authenticatorAttachment: String?
            let requireResidentKey: Bool
            let residentKey: String
            let userVerification: String
        }

        let rp: Party
        let user: Account
        let challenge: String
        let pubKeyCredParams: [Parameter]
        let timeout: Int
        let excludeCredentials: [CredentialDescriptor]?
        let authenticatorSelection: Selection
        let attestation: String
    }
}

/// A credential in `allowCredentials` and `excludeCredentials`.
struct CredentialDescriptor: Encodable, Sendable, Equatable {
    /// Base64url.
    let id: String
    /// Nil to leave them out.
    let transports: [String]?

    init(_ credential: Credential, withTransports: Bool) {
        id = credential.id
        transports = withTransports && !credential.transports.isEmpty ? credential.transports : nil
    }

    enum CodingKeys: String, CodingKey { case id, type, transports }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("public-key", forKey: .type)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(transports, forKey: .transports)
    }
}
