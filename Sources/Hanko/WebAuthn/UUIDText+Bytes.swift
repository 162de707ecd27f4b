import Crypto

extension UUIDText {
    /// The 16 bytes of an identifier, which is a user's handle in WebAuthn; nil for a text of another form.
    static func bytes(of text: String) -> [UInt8]? {
        guard let text = parsed(text) else { return nil }
        return Hex.decode(text.filter { $0 != "-" })
    }

    /// The way back; nil unless there are 16 bytes. An AAGUID may be of any version.
    static func text(of bytes: [UInt8]) -> String? {
        guard bytes.count == 16 else { return nil }
        let hex = Hex.encode(bytes)
        var parts: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}
