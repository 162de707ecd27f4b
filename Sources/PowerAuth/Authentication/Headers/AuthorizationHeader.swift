import Crypto

/// `X-PowerAuth-Authorization`, read and checked for form, not for truth.
struct AuthorizationHeader: ProvingHeader, Equatable {
    static let name = "X-PowerAuth-Authorization"

    let version: ProtocolVersion
    let activationID: String
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Base64 text; it decodes to 16 bytes.
    let nonce: String
    let type: SignatureType
    /// Decimal for 3.0, Base64 later.
    let signature: String
}

extension AuthorizationHeader {
    /// - Throws: ``HeaderRefusal``.
    init(_ text: String) throws {
        let parameters = try HeaderParameters(text, of: Self.name)
        let version = try parameters.version("pa_version")
        self.version = version
        activationID = try parameters.uuid("pa_activation_id")
        applicationKey = try parameters.base64("pa_application_key")
        nonce = try parameters.base64("pa_nonce")
        type = try parameters.value(
            "pa_signature_type", expected: "factors such as possession_knowledge", SignatureType.init(_:))
        let format = version.mobileProtocol.authenticationCodeFormat
        signature = try parameters.value("pa_signature", expected: format.expectation) { code in
            (1...3).contains { format.isWellFormed(code, factors: $0) } ? code : nil
        }
    }
}

extension AuthenticationCodeFormat {
    /// What an online code looks like, for the developer.
    fileprivate var expectation: String {
        switch self {
        case .decimal(let digits): "groups of \(digits) digits with dashes between them"
        case .base64: "Base64 of 16, 32 or 48 bytes"
        }
    }
}
