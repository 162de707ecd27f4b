import Essentials

/// The members of a JSON object, and where in the text their values stand.
///
/// Source: RFC 8259 §4. The text is decoded once to know that it is well formed; then only brackets and strings matter.
struct JSONMembers {
    struct Member {
        let name: String
        /// Byte offsets, without the white space around.
        let value: Range<Int>
    }

    private(set) var members: [Member] = []
    private let bytes: [UInt8]
    private var index = 0

    /// Nil when `bytes` is not the text of one object.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Whatever is wrong with the text, the answer is that it is no object.
        guard (try? JSONDecoder().decode(Anything.self, from: Data(bytes))) != nil else { return nil }
        skipBlank()
        guard take("{") else { return nil }
        while !take("}") {
            guard let name = name(), take(":") else { return nil }
            let start = index
            skipValue()
            guard start < index else { return nil }
            members.append(Member(name: name, value: start..<trimmed(index, from: start)))
            _ = take(",")
        }
    }

    private struct Anything: Decodable {
        init(from _: any Decoder) throws {}
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private mutating func skipBlank() {
        while let next, Self.isBlank(next) { index += 1 }
    }

    /// Takes `character` and the white space behind it.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        skipBlank()
        return true
    }

    private mutating func name() -> String? {
        let start = index
        guard next == UInt8(ascii: "\"") else { return nil }
        skipString()
        let text = bytes[start..<index]
        skipBlank()
        // A name that cannot be decoded makes the whole text no object.
        if !text.contains(UInt8(ascii: "\\")) {
            return String(validating: text.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(text))
    }

    private mutating func skipString() {
        index += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    /// To the comma or the bracket that ends the value.
    private mutating func skipValue() {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            index += 1
        }
    }

    private func trimmed(_ end: Int, from start: Int) -> Int {
        var end = end
        while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return end
    }
}
