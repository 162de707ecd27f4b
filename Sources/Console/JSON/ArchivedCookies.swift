import Essentials
import PlatformKit

/// A cookie that was sent.
struct SentCookie {
    let name: String
    let value: String
}

/// A cookie that an answer set. Source: HTTP Archive 1.2, `cookies`; RFC 6265 §5.2.
struct ArchivedCookie {
    let name: String
    let value: String
    var path: String?
    var domain: String?
    /// ISO 8601. Of `Max-Age`; none of our servers sends `Expires`.
    var expires: String?
    var httpOnly = false
    var secure = false
    /// As browsers write it into their archives.
    var sameSite: String?
}

extension SentCookie {
    var json: JSONValue { ["name": .string(name), "value": .string(value)] }
}

extension ArchivedCookie {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "value": .string(value), "httpOnly": .boolean(httpOnly),
            "secure": .boolean(secure),
        ]
        members["path"] = path.map(JSONValue.string)
        members["domain"] = domain.map(JSONValue.string)
        members["expires"] = expires.map(JSONValue.string)
        members["sameSite"] = sameSite.map(JSONValue.string)
        return .object(members)
    }
}

extension SentCookie {
    /// Those of a field `Cookie`, in its order. Source: RFC 6265 §4.2.
    static func cookies(_ field: String) -> [Self] {
        field.split(separator: ";").compactMap { part -> Self? in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.count == 2 ? Self(name: pair[0].trimmed, value: pair[1].trimmed) : nil
        }
    }
}

extension ArchivedCookie {
    /// - Parameters:
    ///   - field: the value of a field `Set-Cookie`; nil for one without a name.
    ///   - time: of the answer.
    init?(_ field: String, at time: Date) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard let pair = parts.first.map(SentCookie.cookies)?.first, !pair.name.isEmpty else { return nil }
        (name, value) = (pair.name, pair.value)
        for part in parts.dropFirst() {
            let attribute = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard let word = attribute.first else { continue }
            take(word.lowercased(), attribute.count > 1 ? attribute[1] : "", at: time)
        }
    }

    private mutating func take(_ attribute: String, _ value: String, at time: Date) {
        switch attribute {
        case "path": path = value
        case "domain": domain = value
        case "max-age": expires = Int(value).map { Timestamp.text(time.addingTimeInterval(Double($0))) }
        case "httponly": httpOnly = true
        case "secure": secure = true
        case "samesite": sameSite = value
        default: break
        }
    }
}
