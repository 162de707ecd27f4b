import Crypto

/// Identifiers as texts: `c0ffee00-…`, 36 characters.
enum UUIDText {
    /// Whether the text is a UUID in lower case, which is all that validated members take.
    static func isLowercase(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                dashes.contains(index) ? byte == dash : isLowercaseHex(byte)
            }
    }

    /// Whether the text is a version 4 UUID in lower case. Source: RFC 9562 §5.4.
    static func isVersion4(_ text: String) -> Bool {
        guard isLowercase(text) else { return false }
        let bytes = Array(text.utf8)
        return bytes[14] == UInt8(ascii: "4") && "89ab".utf8.contains(bytes[19])
    }

    /// The identifier in lower case, where members are parsed instead of validated: any case is taken.
    static func parsed(_ text: String) -> String? {
        let lower = text.lowercased()
        return isLowercase(lower) ? lower : nil
    }

    static let dash = UInt8(ascii: "-")
    /// Where they stand.
    static let dashes = [8, 13, 18, 23]

    private static func isLowercaseHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

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
