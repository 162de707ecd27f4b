import Essentials

/// From whom to whom a mail goes, as the commands say, and who brings it.
package struct Envelope: Sendable, Equatable {
    /// Empty for the null path `<>`.
    package var sender = ""
    package var recipients: [String] = []
    package var login: Login?
    /// What the client called itself.
    package var client = ""
    /// EHLO rather than HELO.
    package var isExtended = false
    package var isSecure = false
    package var isUTF8 = false

    /// What AUTH said. Any password is right, and none is kept.
    package struct Login: Sendable, Equatable {
        package let mechanism: String
        package let user: String
    }

    /// As the trace field of the mail names it. Source: RFC 3848; RFC 6531 §4.3.
    package var transport: String {
        guard isExtended else { return "SMTP" }
        return (isUTF8 ? "UTF8SMTP" : "ESMTP") + (isSecure ? "S" : "") + (login == nil ? "" : "A")
    }
}

/// An address in angle brackets and what stands behind it. Source: RFC 5321 §4.1.2; RFC 6531 §3.3.
struct MailPath {
    /// Bytes of an address: 64 of the local part and 255 of the domain, as RFC 5321 §4.5.3.1 has them, taken together.
    private static let mostBytes = 320

    /// Without the brackets and without a route; empty for `<>`.
    let address: String
    /// `SIZE=100`, `SMTPUTF8`; names in capitals, values as they came.
    let parameters: [(name: String, value: String?)]

    /// - Parameter text: what stands behind `FROM:` or `TO:`.
    /// - Returns: nil for what has not the form of a path with parameters.
    init?(_ text: Substring) {
        // A space before the bracket is wrong and common.
        let text = text.drop { $0 == " " }
        guard text.first == "<", let end = Self.end(of: text) else { return nil }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.first == " " else { return nil }
        var path = text[text.index(after: text.startIndex)..<end]
        // A source route is taken and ignored. RFC 5321 §4.1.2, appendix C.
        if path.first == "@", let colon = path.firstIndex(of: ":") {
            path = path[path.index(after: colon)...]
        }
        address = String(path)
        parameters = rest.split(separator: " ").map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].asciiUppercased, parts.count > 1 ? String(parts[1]) : nil)
        }
    }

    /// The bracket that closes; one in quotation marks does not.
    private static func end(of text: Substring) -> Substring.Index? {
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            switch text[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case ">" where !isQuoted: return index
            default: break
            }
        }
        return nil
    }

    var isASCII: Bool { address.utf8.allSatisfy { $0 < 0x80 } }

    /// What is wrong with the address, as the end of a sentence; nil when it can be used.
    var defect: String? {
        if address.utf8.count > Self.mostBytes { return "is longer than \(Self.mostBytes) bytes" }
        if address.asciiLowercased == "postmaster" { return nil }
        let isQuoted = address.hasPrefix("\"")
        let at =
            isQuoted
            ? address.ranges(of: "\"@").last.map { address.index(before: $0.upperBound) }
            : address.lastIndex(of: "@")
        guard let at, at != address.startIndex, address.index(after: at) != address.endIndex else {
            return "“\(address)” is not of the form user@domain"
        }
        let (local, domain) = (address[..<at], address[address.index(after: at)...])
        guard domain.unicodeScalars.allSatisfy({ Self.isOrdinary($0) && $0 != "@" }),
            isQuoted || local.unicodeScalars.allSatisfy({ Self.isOrdinary($0) && $0 != "@" })
        else { return "“\(address)” has characters that no address has outside of quotation marks" }
        return nil
    }

    private static func isOrdinary(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
            && !"<>\\\",;()".unicodeScalars.contains(scalar)
    }
}
