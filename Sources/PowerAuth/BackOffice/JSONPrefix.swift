/// The first complete object of a body: a published client sends one closing brace too many, and the real parser does not look
/// behind the end.
enum JSONPrefix {
    /// Everything when no object begins, or none ends.
    static func object(in bytes: [UInt8]) -> ArraySlice<UInt8> {
        var (depth, isInText, isEscaped) = (0, false, false)
        for (index, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return bytes[...index] }
            default: break
            }
        }
        return bytes[...]
    }
}
