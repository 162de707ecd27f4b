import Crypto
import Essentials

/// What a device signs: six lines, each with a line feed behind it. Source: the device protocol.
struct SignedText: Sendable, Equatable {
    /// Of the flow, or of the instance outside of one.
    var id: String
    /// The flow's type, `CHANGE_PIN` or `DELETE_ACCOUNT`.
    var type: String
    /// Base64url.
    var challenge: String
    /// Account id, or SPKI in base64url; empty where there is neither.
    var subject: String
    /// Of a transaction; nil otherwise.
    var approves: Bool?

    static let prefix = "understudy-nextauth-1"

    var text: String {
        let approval = approves.map { $0 ? "1" : "0" } ?? ""
        return [Self.prefix, id, type, challenge, subject, approval].map { $0 + "\n" }.joined()
    }

    /// Why the signature is not the key's; nil when it is.
    ///
    /// - Parameter signature: DER or r and s, in base64url.
    func fault(of signature: String, by key: PublicKey) -> SignatureFault? {
        guard let bytes = Base64URL.decode(signature), let raw = Self.raw(bytes) else {
            return .shapeless(byteCount: Base64URL.decode(signature)?.count ?? 0)
        }
        if key.isValid(raw, for: Array(text.utf8), with: .es256) { return nil }
        if key.isValid(raw, for: Array(text.utf8.dropLast()), with: .es256) { return .lineFeedMissing }
        return .unknown(expected: text)
    }

    private static func raw(_ signature: [UInt8]) -> [UInt8]? {
        // A DER signature of 64 bytes is possible and begins with 0x30 and its length; r and s hardly ever do.
        if let raw = try? ECSignature.raw(fromDER: signature, .p256), signature.first == 0x30 { return raw }
        return signature.count == 64 ? signature : nil
    }
}
