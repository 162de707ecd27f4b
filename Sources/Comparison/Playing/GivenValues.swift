import Crypto
import Essentials
import HTTP

/// The values that an answer gives, by the places where they stand: what a client may send back later.
///
/// Places are the same in two answers to one request: `body.user.id`, `header.x-auth-token`, `cookie.hanko`, `location.query.code`.
struct GivenValues {
    private(set) var values: [(place: String, value: String)] = []
    /// Values of one answer; the rest of a longer list is rarely sent back.
    private static let limit = 5000
    /// Bytes of a page in which fields and links are looked for.
    private static let pageLimit = 1 << 20
    /// Values inside of values, such as a claim of a token in a parameter of an address.
    private static let depthLimit = 3

    init(headers: Headers, body: [UInt8]) {
        for field in headers.fields {
            switch field.name.asciiLowercased {
            case "set-cookie": addCookie(field.value)
            case "location": addAddress(field.value, "location", depth: 0)
            case "date", "content-length", "content-type": break
            case let name: add(field.value, "header." + name, depth: 0)
            }
        }
        addBody(body, headers.mediaType)
    }

    private mutating func addCookie(_ field: String) {
        let pair = field.prefix { $0 != ";" }
        guard let sign = pair.firstIndex(of: "=") else { return }
        let value = pair[pair.index(after: sign)...]
        add(String(value), "cookie." + pair[..<sign], depth: 0)
    }

    private mutating func addBody(_ body: [UInt8], _ type: String) {
        switch BodyContent(body, called: type) {
        case .none: break
        case .page: addFields(of: String(decoding: body.prefix(Self.pageLimit), as: UTF8.self))
        case .form(let form):
            for (name, value) in form.pairs { add(value, "body." + name, depth: 0) }
        case .json(let json): add(json, "body", depth: 0)
        case .other:
            if body.count < 20_000, let text = String(validating: body, as: UTF8.self) {
                add(text, "body", depth: 0)
            }
        }
    }

    /// The fields of forms, hidden or not, and what links carry.
    private mutating func addFields(of html: String) {
        for tag in Self.inputs(of: html) {
            if let name = Self.attribute("name", of: tag), let value = Self.attribute("value", of: tag) {
                add(value, "field." + name, depth: 0)
            }
        }
        for match in html.matches(of: /\b(data-[a-z-]{1,60})="([^"]*)"/) {
            add(Self.unescaped(String(match.2)), "\(match.1)", depth: 0)
        }
        let links = html.matches(of: /\b(?:href|action|content)="([^"]*)"/).filter { $0.1.contains("?") }
        for (index, match) in links.enumerated() {
            addAddress(Self.unescaped(String(match.1)), "link[\(index)]", depth: 0)
        }
    }

    /// Tags of inputs. By hand: a pattern looks for the end of each anew, which a page that has none makes endless.
    private static func inputs(of html: String) -> [String] {
        let page = Array(html.utf8)
        var (tags, place): ([String], Int) = ([], 0)
        while let start = page[place...].firstIndex(of: UInt8(ascii: "<")) {
            guard page[start...].prefix(6).elementsEqual("<input".utf8, by: { $0 | 0x20 == $1 | 0x20 }) else {
                place = start + 1
                continue
            }
            guard let end = page[start...].firstIndex(of: UInt8(ascii: ">")) else { return tags }
            tags.append(String(decoding: page[start...end], as: UTF8.self))
            place = end + 1
        }
        return tags
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        for sign in ["\"", "'"] {
            guard let range = tag.firstRange(of: " \(name)=\(sign)") else { continue }
            return unescaped(String(tag[range.upperBound...].prefix { String($0) != sign }))
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    private mutating func add(_ json: SpelledJSON, _ place: String, depth: Int) {
        switch json {
        case .object(let members):
            for member in members { add(member.value, place + "." + member.name, depth: depth) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { add(element, "\(place)[\(index)]", depth: depth) }
        case .string(let text): add(text, place, depth: depth)
        case .number(let text): append(text, place)
        case .boolean, .null: break
        }
    }

    private mutating func add(_ text: String, _ place: String, depth: Int) {
        append(text, place)
        guard depth < Self.depthLimit, text.utf8.count > 8 else { return }
        if text.hasPrefix("/")
            || WebAddress(text).map({ $0.query != nil || $0.fragment != nil || $0.path.count > 1 }) ?? false
        {
            addAddress(text, place, depth: depth)
        } else if let (_, claims) = WebToken.parts(of: text) {
            add(claims, place + ".claims", depth: depth + 1)
        } else if let inner = PackedText.unpacked(text),
            let json = try? SpelledJSONReader.value(of: Array(inner.text.utf8)),
            json.members != nil
        {
            add(json, place + ".base64", depth: depth + 1)
        } else if text.hasPrefix("{"), let json = try? SpelledJSONReader.value(of: Array(text.utf8)) {
            add(json, place + ".json", depth: depth + 1)
        } else if text.contains("&"), case .form(let form) = BodyContent(Array(text.utf8), called: "") {
            // Parameters for an address that the client makes.
            for (name, value) in form.pairs { add(value, "\(place).form.\(name)", depth: depth + 1) }
        }
    }

    private mutating func addAddress(_ text: String, _ place: String, depth: Int) {
        let address = WebAddress(reference: text)
        for (name, value) in Form(address.query ?? "").pairs {
            add(value, "\(place).query.\(name)", depth: depth + 1)
        }
        if let fragment = address.fragment, !fragment.contains("=") {
            add(fragment, place + ".fragment", depth: depth + 1)
        } else {
            for (name, value) in Form(address.fragment ?? "").pairs {
                add(value, "\(place).fragment.\(name)", depth: depth + 1)
            }
        }
        let segments = address.path.split(separator: "/")
        for (index, segment) in segments.enumerated() {
            // From the end: what stands before it differs between two addresses of one service.
            append(segment.percentDecoded, "\(place).path[-\(segments.count - index)]")
        }
    }

    /// The values of each list, by its place.
    var listed: [Substring: Set<String>] {
        var listed: [Substring: Set<String>] = [:]
        for (place, value) in values {
            if let list = Self.list(of: place) { listed[list, default: []].insert(value) }
        }
        return listed
    }

    /// `body.scopes` of `body.scopes[2]`; nil for what is no element itself.
    static func list(of place: String) -> Substring? {
        guard place.hasSuffix("]"), let start = place.lastIndex(of: "[") else { return nil }
        return place[..<start]
    }

    private mutating func append(_ value: String, _ place: String) {
        if !value.isEmpty, values.count < Self.limit { values.append((place, value)) }
    }
}

/// Base64 that holds text, as clients pack credentials, cursors and client data.
enum PackedText {
    struct Unpacked {
        let text: String
        let isURLSafe: Bool
        let isPadded: Bool

        /// Another text in the same form.
        func packed(_ text: String) -> String {
            if isURLSafe, !isPadded { return Base64URL.encode(Array(text.utf8)) }
            let standard = Data(text.utf8).base64EncodedString()
            let alphabet = isURLSafe ? standard.replacing("+", with: "-").replacing("/", with: "_") : standard
            return isPadded ? alphabet : String(alphabet.prefix { $0 != "=" })
        }
    }

    /// Nil for what is no Base64, or holds no text.
    static func unpacked(_ text: String) -> Unpacked? {
        guard text.utf8.count >= 8 else { return nil }
        var (hasSafe, hasStandard, isPadded) = (false, false, false)
        var bare: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "="): isPadded = true
            // What stands behind padding is none.
            case _ where isPadded: return nil
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                hasSafe = true
                bare.append(byte)
            case UInt8(ascii: "+"), UInt8(ascii: "/"):
                hasStandard = true
                bare.append(byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : UInt8(ascii: "_"))
            case UInt8(ascii: "."), UInt8(ascii: "~"): return nil
            case _ where byte.isUnreserved: bare.append(byte)
            default: return nil
            }
        }
        let isURLSafe = hasSafe || !hasStandard && !isPadded
        guard let bytes = Base64URL.decode(String(decoding: bare, as: UTF8.self)),
            let inner = String(validating: bytes, as: UTF8.self), !inner.isEmpty,
            inner.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 })
        else { return nil }
        // Of no length that needs padding nothing tells; most libraries pad.
        return Unpacked(
            text: inner, isURLSafe: isURLSafe && !isPadded || hasSafe,
            isPadded: isPadded || !isURLSafe)
    }
}

/// A JSON Web Token, read without its keys. Source: RFC 7515 §3.1, RFC 7519 §3.
enum WebToken {
    /// Header and claims; of an encrypted one (RFC 7516 §3.1) the header alone, and no claims.
    static func parts(of text: String) -> (header: SpelledJSON, claims: SpelledJSON)? {
        guard text.hasPrefix("eyJ") else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = object(parts[0]) else { return nil }
        if parts.count == 5 { return (header, .object([])) }
        return object(parts[1]).map { (header, $0) }
    }

    private static func object(_ part: Substring) -> SpelledJSON? {
        // What is no Base64 or no JSON is no token.
        guard let bytes = Base64URL.decode(part), let json = try? SpelledJSONReader.value(of: bytes),
            json.members != nil
        else { return nil }
        return json
    }
}
