/// The rule `email` of Hanko's validation.
///
/// Source: the mail address expression of Go's package validator 10: local atoms joined by dots, and a domain of two labels
/// at least, the last of which begins and ends with a letter. Quoted local parts are not taken here.
///
/// Looked at by scalars, as that expression does; by characters, it takes several times as long.
enum MailAddress {
    private typealias Part = ArraySlice<Unicode.Scalar>

    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 320 else { return false }
        let scalars = Array(text.unicodeScalars)
        guard let sign = scalars.firstIndex(of: "@") else { return false }
        return isLocalPart(scalars[..<sign]) && isDomain(scalars[(sign + 1)...])
    }

    private static func isLocalPart(_ text: Part) -> Bool {
        allParts(of: text) { atom in
            !atom.isEmpty
                && atom.allSatisfy {
                    isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains($0)
                }
        }
    }

    /// A dot may stand at its end.
    private static func isDomain(_ text: Part) -> Bool {
        let text = text.last == "." ? text.dropLast() : text
        guard let dot = text.lastIndex(of: ".") else { return false }
        let last = text[(dot + 1)...]
        return allParts(of: text, isLabel)
            && [last.first, last.last].allSatisfy { end in
                end.map { isAlphanumeric($0) && !("0"..."9").contains($0) } ?? false
            }
    }

    private static func isLabel(_ label: Part) -> Bool {
        guard let first = label.first, let last = label.last else { return false }
        return isAlphanumeric(first) && isAlphanumeric(last)
            && label.allSatisfy { isAlphanumeric($0) || "-_~".unicodeScalars.contains($0) }
    }

    /// Whether all that stands between dots is right.
    private static func allParts(of text: Part, _ isRight: (Part) -> Bool) -> Bool {
        var rest = text
        while let dot = rest.firstIndex(of: ".") {
            guard isRight(rest[..<dot]) else { return false }
            rest = rest[(dot + 1)...]
        }
        return isRight(rest)
    }

    /// ASCII letters and digits, and everything from U+00A0 on that the expression lists.
    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
        default: false
        }
    }
}
