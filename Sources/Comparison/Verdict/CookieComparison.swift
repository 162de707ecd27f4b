import Essentials
import HTTP

/// A cookie as an answer sets it. Source: RFC 6265 §5.2, RFC 6265bis §5.6.7.
struct SetCookie {
    let name: String
    let value: String
    /// By their names in lower case.
    let attributes: [String: String]

    /// Nil for a field without a name.
    init?(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard let pair = parts.first, let sign = pair.firstIndex(of: "="), sign > pair.startIndex else {
            return nil
        }
        name = String(pair[..<sign])
        value = String(pair[pair.index(after: sign)...])
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() where !part.isEmpty {
            let sign = part.firstIndex(of: "=") ?? part.endIndex
            attributes[part[..<sign].asciiLowercased] = String(part[sign...].dropFirst())
        }
        self.attributes = attributes
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Whether it tells the client to forget it: `Max-Age` counts more than `Expires`, of which servers take a time long ago.
    var isRemoval: Bool {
        if value.isEmpty { return true }
        if let age = attributes["max-age"].flatMap({ Int($0) }) { return age <= 0 }
        return attributes["expires"]?.contains(/\b(?:19[0-9]{2}|[0-9]{1,2}-[A-Za-z]{3}-[7-9][0-9])\b/)
            ?? false
    }

    /// What says how long it is kept, as it stands in a sentence; nil for a cookie of the session.
    var lifetime: String? {
        attributes["max-age"].map { "Max-Age=\($0)" } ?? attributes["expires"].map { "Expires=\($0)" }
    }
    var isKept: Bool { attributes["max-age"] != nil || attributes["expires"] != nil }
}

extension ValueComparison {
    /// - Parameters:
    ///   - paths: the path of the service there and here, which paths of cookies may begin with.
    ///   - isSecureThere: whether the recorded service was asked over TLS; ours is not, and sets no cookie for TLS alone then.
    ///   - isPassed: whether the recorded cookies were passed on over HTTP, without `Secure` and with `SameSite=Lax` for `None`.
    mutating func compareCookies(
        _ recorded: Headers, _ ours: Headers, _ second: Headers, paths: (recorded: String, ours: String),
        isSecureThere: Bool, isPassed: Bool
    ) {
        let (there, here, other) = (Self.cookies(recorded), Self.cookies(ours), Self.cookies(second))
        for (name, cookie) in there.sorted(by: { $0.key < $1.key }) {
            guard let mine = here[name] else {
                add(
                    .cookie, "cookie \(name)", recorded: cookie.value,
                    "the cookie “\(name)” is missing: the recording sets it")
                continue
            }
            compare(cookie, mine, paths, isSecureThere || isPassed)
            compareSites(cookie, mine, isPassed)
            if !cookie.isRemoval {
                compare(cookie.value, mine.value, other[name]?.value, at: "cookie \(name)", name: name)
            }
        }
        for (name, cookie) in here.sorted(by: { $0.key < $1.key }) where there[name] == nil {
            add(
                .cookie, "cookie \(name)", ours: cookie.value,
                "the cookie “\(name)” is not in the recording: Understudy sets it")
        }
    }

    private static func cookies(_ headers: Headers) -> [String: SetCookie] {
        Dictionary(headers.values(of: "Set-Cookie").compactMap(SetCookie.init).map { ($0.name, $0) }) { $1 }
    }

    private mutating func compare(
        _ recorded: SetCookie, _ ours: SetCookie, _ paths: (recorded: String, ours: String),
        _ isSecureThere: Bool
    ) {
        func tell(_ attribute: String, _ there: String?, _ here: String?) {
            addAttribute(attribute, of: recorded.name, there, here)
        }
        for (attribute, key) in [
            ("HttpOnly", "httponly"), ("Secure", "secure"), ("Partitioned", "partitioned"),
        ] {
            if key == "secure", isSecureThere { continue }
            let (there, here) = (recorded.attributes[key], ours.attributes[key])
            if (there == nil) != (here == nil) {
                tell(attribute, there.map { _ in "" }, here.map { _ in "" })
            }
        }
        let (there, here) = (Self.bare(recorded, paths.recorded), Self.bare(ours, paths.ours))
        if there != here { tell("Path", recorded.attributes["path"], ours.attributes["path"]) }
        if (recorded.attributes["domain"] == nil) != (ours.attributes["domain"] == nil) {
            tell("Domain", recorded.attributes["domain"], ours.attributes["domain"])
        }
        if recorded.isRemoval != ours.isRemoval {
            return tell(
                "value", recorded.isRemoval ? "(removed)" : "(set)", ours.isRemoval ? "(removed)" : "(set)")
        }
        if recorded.isKept != ours.isKept {
            let (there, here) = (recorded.lifetime ?? "no Max-Age", ours.lifetime ?? "no Max-Age")
            return add(
                .cookie, "cookie \(recorded.name) Max-Age", recorded: there, ours: here,
                "the cookie “\(recorded.name)” has \(there) in the recording, \(here) from Understudy")
        }
        compareLifetime(recorded, ours, tell)
    }

    private mutating func compareSites(_ recorded: SetCookie, _ ours: SetCookie, _ isPassed: Bool) {
        let (there, here) = (recorded.attributes["samesite"], ours.attributes["samesite"])
        if there?.asciiLowercased == here?.asciiLowercased { return }
        if isPassed, there?.asciiLowercased == "lax", here?.asciiLowercased == "none" { return }
        addAttribute("SameSite", of: recorded.name, there, here)
    }

    private mutating func addAttribute(
        _ attribute: String, of cookie: String, _ there: String?, _ here: String?
    ) {
        func words(_ text: String?) -> String {
            text.map { $0.isEmpty ? attribute : "\(attribute)=\($0)" } ?? "no \(attribute)"
        }
        add(
            .cookie, "cookie \(cookie) \(attribute)", recorded: words(there), ours: words(here),
            "the cookie “\(cookie)” has \(words(there)) in the recording, \(words(here)) from Understudy")
    }

    private func compareLifetime(
        _ recorded: SetCookie, _ ours: SetCookie, _ tell: (String, String?, String?) -> Void
    ) {
        if let there = recorded.attributes["max-age"].flatMap({ Int($0) }),
            let here = ours.attributes["max-age"].flatMap({ Int($0) }), there.subtracting(here).magnitude > 2
        {
            tell("Max-Age", "\(there)", "\(here)")
        }
    }

    /// The path below that of the service; `/` is none.
    private static func bare(_ cookie: SetCookie, _ base: String) -> String {
        var path = cookie.attributes["path"] ?? ""
        if !base.isEmpty, path.hasPrefix(base) { path = String(path.dropFirst(base.count)) }
        return path == "/" ? "" : path
    }
}
