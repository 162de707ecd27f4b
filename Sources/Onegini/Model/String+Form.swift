extension String {
    /// As a value of a form: every byte that is no ASCII letter or digit percent-encoded. Source: RFC 3986 §2.1.
    var formEscaped: String {
        utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
