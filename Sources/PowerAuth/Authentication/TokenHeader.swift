import Essentials

/// `X-PowerAuth-Token`, read and checked for form, not for truth.
struct TokenHeader: Sendable, Equatable {
    let version: ProtocolVersion
    let tokenID: String
    let digest: [UInt8]
    /// 16 bytes.
    let nonce: [UInt8]
    /// Decimal milliseconds since 1970 UTC, as sent.
    let timestamp: String
}
