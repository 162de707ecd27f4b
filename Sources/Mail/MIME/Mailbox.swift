/// A person in a field of a header: `Ada <ada@example.com>`. Source: RFC 5322 §3.4.
package struct Mailbox: Sendable, Equatable {
    package let address: String
    package let name: String?

    package init(_ address: String, name: String? = nil) { (self.address, self.name) = (address, name) }

    /// The members of a list, groups opened; what has no address is left out.
    static func list(_ text: String) -> [Mailbox] {
        var reader = MailboxReader()
        for byte in text.utf8 { reader.read(byte) }
        reader.finish()
        return reader.mailboxes
    }
}

/// Reads a list byte by byte.
private struct MailboxReader {
    var mailboxes: [Mailbox] = []
    private var phrase: [UInt8] = []
    private var address: [UInt8] = []
    private var isQuoted = false
    private var isEscaped = false
    private var isInside = false
    /// Of comments.
    private var depth = 0

    mutating func read(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
            if depth == 0 { phrase.append(byte) }
        } else if depth > 0 {
            readComment(byte)
        } else if isQuoted {
            readQuoted(byte)
        } else if isInside {
            if byte == UInt8(ascii: ">") { isInside = false } else { address.append(byte) }
        } else {
            readPlain(byte)
        }
    }

    private mutating func readComment(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        default: break
        }
    }

    private mutating func readQuoted(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "\""): isQuoted = false
        default: phrase.append(byte)
        }
    }

    private mutating func readPlain(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "("): depth = 1
        case UInt8(ascii: "<"): (isInside, address) = (true, [])
        case UInt8(ascii: ","), UInt8(ascii: ";"): finish()
        // The name of a group.
        case UInt8(ascii: ":"): phrase = []
        default: phrase.append(byte)
        }
    }

    mutating func finish() {
        let name = EncodedText.decoded(String(decoding: phrase[...].trimmingBlanks, as: UTF8.self))
        let inside = String(decoding: address[...].trimmingBlanks, as: UTF8.self)
        if !inside.isEmpty {
            mailboxes.append(Mailbox(inside, name: name.isEmpty ? nil : name))
        } else if name.utf8.contains(UInt8(ascii: "@")), !name.utf8.contains(0x20) {
            mailboxes.append(Mailbox(name))
        }
        (phrase, address) = ([], [])
    }
}

extension String {
    var trimmed: String { Substring(self).trimmed }
}

extension Substring {
    /// Without white space at both ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
