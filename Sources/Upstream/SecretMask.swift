import Essentials
package import HTTP

/// Takes tokens, passwords and cookies out of what is kept of an exchange with somebody's real service.
///
/// In their place stands `masked-` and ten letters, the same for the same secret as long as the program runs, so that one still sees which
/// request carries what an earlier answer gave. They are made by Swift's `Hasher`, whose key is drawn at each start of the program: nobody
/// can try passwords against them later.
package struct SecretMask: Sendable {
    package init() {}

    /// Members and parameters whose values are secrets, in lower case and without `_` and `-`.
    private static let secrets: Set<String> = [
        "accesstoken", "refreshtoken", "idtoken", "idtokenhint", "token", "sessiontoken", "csrftoken",
        "requesttoken", "devicecode",
        "usercode", "clientsecret", "secret", "sharedsecret", "password", "oldpassword", "newpassword",
        "passphrase", "pin", "passcode", "otp",
        "totp", "assertion", "clientassertion", "subjecttoken", "actortoken", "codeverifier",
        "authorizationcode", "apikey", "samlresponse",
        "backupcode", "recoverycode", "puk", "jwt", "loginhinttoken", "registrationaccesstoken", "privatekey",
        "otpsecret",
    ]
    /// What is one in a request or an address, and the name of an error in an answer.
    private static let codes: Set<String> = ["code"]

    private static let fields: Set<String> = [
        "authorization", "proxy-authorization", "x-api-key", "x-auth-token", "x-session-token",
        "x-session-jwt", "x-csrf-token", "apikey",
    ]

    package func isSecret(_ name: some StringProtocol, inRequest: Bool) -> Bool {
        let plain = name.asciiLowercased.filter { $0 != "_" && $0 != "-" }
        return Self.secrets.contains(plain) || inRequest && Self.codes.contains(plain)
    }

    /// What stands in the place of a secret.
    package func mask(_ secret: some StringProtocol) -> String {
        if secret.isEmpty || Self.isMask(secret) { return String(secret) }
        var hasher = Hasher()
        hasher.combine("upstream")
        for byte in secret.utf8 { hasher.combine(byte) }
        var rest = UInt64(bitPattern: Int64(hasher.finalize()))
        var letters = ""
        for _ in 0..<10 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return "masked-" + letters
    }

    private static func isMask(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 17 && text.hasPrefix("masked-")
            && text.utf8.dropFirst(7).allSatisfy { 0x61...0x7A ~= $0 }
    }

    package func masked(_ headers: Headers) -> Headers {
        var made = Headers()
        for field in headers.fields { made.add(field.name, masked(field)) }
        return made
    }

    private func masked(_ field: Headers.Field) -> String {
        let name = field.name.asciiLowercased
        switch name {
        case "cookie":
            return field.value.split(separator: ";").map { pair(String($0)) }.joined(separator: ";")
        case "set-cookie":
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            return ([pair(String(parts[0]))] + parts.dropFirst().map(String.init)).joined(separator: ";")
        case "location", "content-location", "referer", "refresh", "link": return masked(target: field.value)
        default:
            guard Self.fields.contains(name) else { return tokens(in: field.value) }
            let parts = field.value.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? "\(parts[0]) \(mask(parts[1]))" : mask(field.value)
        }
    }

    private func pair(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { return "\(parts[0])=\(mask(parts[1]))" }
        // One without a name is its value. Source: RFC 6265bis §5.6.
        let value = text.drop { $0 == " " }
        return text.prefix(text.count - value.count) + mask(value)
    }

    /// A sentence, in which a token may stand.
    package func masked(text: String) -> String { tokens(in: text) }

    /// A path or URL, with the values of its query and fragment.
    package func masked(target: String) -> String {
        guard let start = target.firstIndex(where: { $0 == "?" || $0 == "#" }) else {
            return tokens(in: target)
        }
        var made = String(target[..<start])
        var name = "", value = "", isValue = false
        func close(_ sign: String) {
            made +=
                name
                + (isValue ? "=" + (isSecret(name, inRequest: true) ? mask(value) : tokens(in: value)) : "")
                + sign
            (name, value, isValue) = ("", "", false)
        }
        for character in target[start...] {
            switch character {
            case "?" where !isValue, "#", "&": close(String(character))
            case "=" where !isValue: isValue = true
            default: if isValue { value.append(character) } else { name.append(character) }
            }
        }
        close("")
        return made
    }

    /// - Parameter inRequest: whether a member `code` is a secret, and no error's name.
    package func masked(_ body: [UInt8], _ type: String?, inRequest: Bool) -> [UInt8] {
        guard !body.isEmpty, let text = String(validating: body, as: UTF8.self) else { return body }
        let type = type?.asciiLowercased ?? ""
        if type.contains("json") { return SecretMembers(mask: self, inRequest: inRequest).masked(body) }
        if type.contains("x-www-form-urlencoded") {
            return Array(masked(target: "?" + text).dropFirst().utf8)
        }
        return Array(inputs(in: tokens(in: text)).utf8)
    }

    /// JWTs wherever they stand, by the first letters of their header, `{"`. Source: RFC 7519 §3.1.
    private func tokens(in text: String) -> String {
        guard text.contains("eyJ") else { return text }
        return TextParts.tokens(of: Array(text.utf8)).replaced(in: text) { mask($0) }
    }

    /// Inputs of a page's forms, such as those that post an answer back. Source: OAuth 2.0 Form Post Response Mode.
    private func inputs(in page: String) -> String {
        TextParts.inputs(of: Array(page.utf8)).replaced(in: page) { tag in
            guard let name = tag.firstMatch(of: /name=["']?([A-Za-z0-9_\-]+)/.ignoresCase()),
                isSecret(name.1, inRequest: true)
            else { return tag }
            return tag.replacing(/value=(["'])([^"']*)["']/.ignoresCase()) {
                "value=\($0.1)\(mask($0.2))\($0.1)"
            }.replacing(/value=([^\s"'>]+)/.ignoresCase()) { "value=\(mask($0.1))" }
        }
    }
}

/// Masks the secrets of a JSON text, byte by byte, so that everything else stays as it was, also of a text that is cut or malformed.
private struct SecretMembers {
    let mask: SecretMask
    let inRequest: Bool

    func masked(_ text: [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        made.reserveCapacity(text.count)
        var (place, name) = (0, [UInt8]?.none)
        // Names of the lists that are open: each element of a list is a value of its name.
        var lists: [[UInt8]?] = []
        while place < text.count {
            guard text[place] == UInt8(ascii: "\"") else {
                if let name, let end = numberEnd(text, from: place), isSecret(name) {
                    let number = String(decoding: text[place..<end], as: UTF8.self)
                    made += "\"\(mask.mask(number))\"".utf8
                    place = end
                    continue
                }
                // A name holds until its value is over.
                switch text[place] {
                case UInt8(ascii: "["): lists.append(name)
                case UInt8(ascii: "{"): lists.append(nil)
                case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = lists.popLast()
                default: break
                }
                if ",{]}".utf8.contains(text[place]) { name = lists.last ?? nil }
                made.append(text[place])
                place += 1
                continue
            }
            let end = stringEnd(text, from: place + 1)
            let content = Array(text[(place + 1)..<end])
            let isName = next(text, after: end + 1) == UInt8(ascii: ":")
            made.append(UInt8(ascii: "\""))
            made += isName ? content : value(content, of: name)
            if end < text.count { made.append(UInt8(ascii: "\"")) }
            if isName { name = content }
            place = end + 1
        }
        return made
    }

    private func value(_ content: [UInt8], of name: [UInt8]?) -> [UInt8] {
        let text = String(decoding: content, as: UTF8.self)
        if let name, isSecret(name) {
            return Array(mask.mask(text).utf8)
        }
        let isToken = text.hasPrefix("eyJ") && text.utf8.count { $0 == UInt8(ascii: ".") } >= 2
        // A page or an address may stand in a member as well.
        return isToken
            ? Array(mask.mask(text).utf8)
            : text.hasPrefix("http") ? Array(mask.masked(target: text).utf8) : content
    }

    private func isSecret(_ name: [UInt8]) -> Bool {
        // A name with escapes that there are not is none.
        let plain =
            name.contains(UInt8(ascii: "\\"))
            ? (try? JSONValue(parsing: [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]))?.string : nil
        return mask.isSecret(plain ?? String(decoding: name, as: UTF8.self), inRequest: inRequest)
    }

    /// Where a number ends that begins here; nil for anything else.
    private func numberEnd(_ text: [UInt8], from start: Int) -> Int? {
        let first = text[start]
        guard 0x30...0x39 ~= first || first == UInt8(ascii: "-") else { return nil }
        return text[start...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? text.count
    }

    /// Where a string's closing quotation mark stands, or the text ends.
    private func stringEnd(_ text: [UInt8], from start: Int) -> Int {
        var place = start
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place, text.count)
    }

    /// The first byte that is no blank.
    private func next(_ text: [UInt8], after place: Int) -> UInt8? {
        text[min(place, text.count)...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
