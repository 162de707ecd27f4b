import Crypto

/// `X-PowerAuth-Authorization`, read and checked for form, not for truth.
struct AuthorizationHeader: ProvingHeader, Equatable {
    static let name = "X-PowerAuth-Authorization"

    let version: RequestVersion
    let activationID: String
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Base64 text; it decodes to 16 bytes.
    let nonce: String
    let type: SignatureType
    /// The code: decimal for 3.0, Base64 later.
    let signature: String
}

extension AuthorizationHeader {
    /// - Throws: ``HeaderRefusal``.
    init(_ text: String) throws {
        let parameters = try HeaderParameters(text, of: Self.name)
        let version = try parameters.version("pa_version")
        let names = version == .four ? Self.newNames : Self.oldNames
        self.version = version
        activationID = try parameters.uuid("pa_activation_id")
        applicationKey = try parameters.base64("pa_application_key")
        nonce = try parameters.base64("pa_nonce")
        type = try parameters.value(names.type, expected: "factors such as possession_knowledge") { text in
            SignatureType(text).flatMap { names.types.contains($0) ? $0 : nil }
        }
        let format = version.authenticationCodeFormat
        let most = names.types.map(\.factors.count).max() ?? 0
        signature = try parameters.value(names.code, expected: format.expectation) { code in
            (1...most).contains { format.isWellFormed(code, factors: $0) } ? code : nil
        }
    }

    /// What a generation calls its parameters, and the types that it has.
    private typealias Names = (type: String, code: String, types: [SignatureType])

    private static let oldNames: Names = ("pa_signature_type", "pa_signature", SignatureType.allCases)
    private static let newNames: Names = (
        "pa_auth_code_type", "pa_auth_code", [.possession, .possessionKnowledge, .possessionBiometry]
    )
}

extension AuthenticationCodeFormat {
    /// What an online code looks like, for the developer.
    fileprivate var expectation: String {
        switch self {
        case .decimal(let digits): "groups of \(digits) digits with dashes between them"
        case .base64: "Base64 of 16, 32 or 48 bytes"
        case .wholeBase64: "Base64 of 32 or 64 bytes"
        }
    }
}
