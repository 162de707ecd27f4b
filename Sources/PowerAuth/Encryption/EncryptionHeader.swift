/// `X-PowerAuth-Encryption`, read and checked for form, or what `X-PowerAuth-Authorization` says in its place.
struct EncryptionHeader: Sendable, Equatable {
    static let name = "X-PowerAuth-Encryption"

    let version: RequestVersion
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Nil in application scope.
    let activationID: String?
}

extension EncryptionHeader {
    /// - Throws: ``HeaderRefusal``.
    init(_ text: String) throws {
        let parameters = try HeaderParameters(text, of: Self.name)
        version = try parameters.version("version")
        applicationKey = try parameters.base64("application_key")
        activationID =
            try parameters.optional("activation_id") == nil ? nil : parameters.uuid("activation_id")
    }

    init(_ header: AuthorizationHeader) {
        self.init(
            version: header.version, applicationKey: header.applicationKey,
            activationID: header.activationID)
    }
}
