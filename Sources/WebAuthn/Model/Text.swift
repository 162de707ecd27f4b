import Crypto

extension String {
    /// At most 80 characters of text from a stranger, without control characters, for sentences.
    var shortened: String {
        let plain = String(
            unicodeScalars.prefix(81).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : Character($0) }
        )
        return plain.count > 80 ? plain.prefix(80) + "…" : plain
    }
}

extension [UInt8] {
    /// At most 40 bytes in hexadecimal, for sentences.
    var shortHex: String {
        isEmpty ? "nothing" : count > 40 ? "\(Hex.encode(prefix(40)))… (\(count) bytes)" : Hex.encode(self)
    }
}
