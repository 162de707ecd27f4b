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
