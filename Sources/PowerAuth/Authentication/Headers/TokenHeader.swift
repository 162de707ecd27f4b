import Crypto
import Essentials

/// `X-PowerAuth-Token`, read and checked for form, not for truth.
struct TokenHeader: ProvingHeader, Equatable {
    static let name = "X-PowerAuth-Token"

    let version: RequestVersion
    let tokenID: String
    let digest: [UInt8]
    /// 16 bytes.
    let nonce: [UInt8]
    /// Decimal milliseconds since 1970 UTC, as sent.
    let timestamp: String
}

extension TokenHeader {
    /// - Throws: ``HeaderRefusal``.
    init(_ text: String) throws {
        let parameters = try HeaderParameters(text, of: Self.name)
        version = try parameters.version("version")
        tokenID = try parameters.uuid("token_id")
        digest = try parameters.value("token_digest", expected: "Base64") { WireBase64.decode($0) }
        nonce = try parameters.value("nonce", expected: "16 bytes in Base64") { text in
            (try? Nonce(base64: text))?.bytes
        }
        timestamp = try parameters.value("timestamp", expected: "9 to 15 digits of milliseconds") { text in
            9...15 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? text : nil
        }
    }

    /// Whole milliseconds since 1970 UTC.
    var milliseconds: Int { Int(timestamp) ?? 0 }
}
