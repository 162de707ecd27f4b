/// What stands in round brackets in a structured field is for people.
enum MIMEComments {
    /// Comments may stand between any two words, and in each other. Source: RFC 2045 §5.1, RFC 5322 §3.2.2.
    static func without(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(UInt8(ascii: "(")) else { return bytes }
        var (plain, depth, isQuoted, isEscaped) = ([UInt8](), 0, false, false)
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted || depth > 0 {
                isEscaped = true
            } else if byte == UInt8(ascii: "\""), depth == 0 {
                isQuoted.toggle()
            } else if !isQuoted, byte == UInt8(ascii: "(") {
                depth += 1
                continue
            } else if !isQuoted, byte == UInt8(ascii: ")"), depth > 0 {
                depth -= 1
                if depth == 0 { plain.append(0x20) }
                continue
            }
            if depth == 0 { plain.append(byte) }
        }
        // A bracket that nobody closes is no comment.
        return depth > 0 ? bytes : plain[...]
    }
}
