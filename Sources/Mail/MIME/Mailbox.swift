/// A person in a field of a header: `Ada <ada@example.com>`. Source: RFC 5322 §3.4.
package struct Mailbox: Sendable, Equatable {
    package let address: String
    package let name: String?

    package init(_ address: String, name: String? = nil) { (self.address, self.name) = (address, name) }

    /// The members of a list, groups opened; what has no address is left out.
    static func list(_ text: String) -> [Mailbox] {
        var (mailboxes, phrase, address) = ([Mailbox](), "", nil as String?)
        var (isQuoted, isEscaped, depth) = (false, false, 0)

        func finish() {
            let name = EncodedText.decoded(phrase.trimmed)
            if let address = address?.trimmed, !address.isEmpty {
                mailboxes.append(Mailbox(address, name: name.isEmpty ? nil : name))
            } else if name.contains("@"), !name.contains(" ") {
                mailboxes.append(Mailbox(name))
            }
            (phrase, address) = ("", nil)
        }

        var isInside = false
        for character in text {
            switch character {
            case _ where isEscaped:
                isEscaped = false
                if depth == 0 { phrase.append(character) }
            case "\\" where isQuoted || depth > 0: isEscaped = true
            case "\"" where depth == 0 && !isInside: isQuoted.toggle()
            case "(" where !isQuoted && !isInside: depth += 1
            case ")" where depth > 0 && !isQuoted: depth -= 1
            case _ where depth > 0: break
            case "<" where !isQuoted && !isInside: (isInside, address) = (true, "")
            case ">" where isInside: isInside = false
            case "," where !isQuoted && !isInside, ";" where !isQuoted && !isInside: finish()
            // The name of a group.
            case ":" where !isQuoted && !isInside: phrase = ""
            case _ where isInside: address?.append(character)
            default: phrase.append(character)
            }
        }
        finish()
        return mailboxes
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
