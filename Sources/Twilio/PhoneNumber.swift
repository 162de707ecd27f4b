/// Who takes and sends text messages.
enum PhoneNumber {
    /// `+` and 7 to 15 digits, without the marks between them that Twilio takes away; nil for what is no such number. Source: E.164 §6.
    static func e164(_ text: String) -> String? {
        let plain = text.filter { !" -.()\u{00A0}".contains($0) }
        let digits = plain.utf8.dropFirst()
        guard plain.utf8.first == UInt8(ascii: "+"), 7...15 ~= digits.count,
            digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return plain
    }

    static func isShortCode(_ text: String) -> Bool {
        3...6 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// At most 11 letters, digits, blanks and a few marks, one of them a letter. Source: alphanumeric sender ID.
    static func isSenderName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
        return 1...11 ~= text.utf8.count && text.utf8.contains(where: isLetter)
            && text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || " &+-_".utf8.contains($0) }
    }
}

/// Into how many pieces a text is cut for the way.
enum Segments {
    /// The alphabet of a piece of 160 letters, or of 153 where there are several; marks of the extension take two places. Source: 3GPP TS 23.038 §6.2.1.
    private static let basic = Set(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
            .unicodeScalars)
    private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

    static func count(of text: String) -> Int {
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ basic.contains($0) || extended.contains($0) }) else {
            let units = text.utf16.count
            return units <= 70 ? 1 : (units + 66) / 67
        }
        let places = scalars.reduce(0) { $0 + (extended.contains($1) ? 2 : 1) }
        return places <= 160 ? 1 : (places + 152) / 153
    }
}
