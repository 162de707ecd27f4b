import Crypto

extension UUIDText {
    /// The 16 bytes of an identifier, which is a user's handle in WebAuthn; nil for a text of another form.
    static func bytes(of text: String) -> [UInt8]? {
        guard let text = parsed(text) else { return nil }
        return Hex.decode(String(decoding: text.utf8.filter { $0 != dash }, as: UTF8.self))
    }

    /// The way back; nil unless there are 16 bytes. An AAGUID may be of any version.
    static func text(of bytes: [UInt8]) -> String? {
        guard bytes.count == 16 else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for digit in Hex.encode(bytes).utf8 {
            if dashes.contains(text.count) { text.append(dash) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
