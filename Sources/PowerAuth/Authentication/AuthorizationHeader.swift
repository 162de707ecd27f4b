/// `X-PowerAuth-Authorization`, read and checked for form, not for truth.
struct AuthorizationHeader: Sendable, Equatable {
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
