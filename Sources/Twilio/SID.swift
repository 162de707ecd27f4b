/// Names of Twilio's resources.
enum SID {
    /// Whether `text` is the prefix and 32 hexadecimal digits.
    static func isOne(_ text: String, _ prefix: String) -> Bool {
        text.utf8.count == 34 && text.hasPrefix(prefix)
            && text.utf8.dropFirst(2).allSatisfy {
                0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 || 0x41...0x46 ~= $0
            }
    }
}
