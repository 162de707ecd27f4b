/// A mailbox that may stand between the angle brackets of `MAIL FROM` and `RCPT TO`.
struct SMTPAddress: Sendable, Equatable {
    let text: String

    /// Refuses what could end the line or the brackets and begin a command of its own, and what has no `@`.
    ///
    /// - Throws: ``SMTPError/addressUnusable(_:)``.
    init(_ text: String) throws {
        // RFC 5321 §4.5.3.1.3: a path has at most 256 octets, brackets included.
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@"), at != text.startIndex,
            text.index(after: at) != text.endIndex,
            text.unicodeScalars.allSatisfy({ Self.isHarmless($0) })
        else { throw SMTPError.addressUnusable(text) }
        self.text = text
    }

    var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
            && !"<>\\\",;:()".unicodeScalars.contains(scalar)
            && scalar.value != 0x2028 && scalar.value != 0x2029
    }
}
