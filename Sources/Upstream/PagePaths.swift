import Essentials

/// Links of a page that begin at the root of its server: `href="/login"` of a service at the root of its host leads past the mount where
/// it stands here. Source: HTML Standard, attributes whose value is a URL.
struct PagePaths {
    /// What stands before the service's paths at the service, and here; empty for the root.
    let theirs: String
    let ours: String
    /// The same with the scheme that a page takes over: `//tenant.example/base`, and here. Source: RFC 3986 §4.2.
    var network: (theirs: String, ours: String)?

    private static let names = ["href", "src", "action", "formaction", "poster", "url"].map { Array($0.utf8) }

    /// What a path of theirs is here; nil where it stays as it is, as that of another service at the same host.
    func ours(_ path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        if path.hasPrefix("//") {
            return network.flatMap { network in
                Self.rest(of: path, behind: network.theirs).map { network.ours + $0 }
            }
        }
        guard theirs != ours, let rest = Self.rest(of: path, behind: theirs) else { return nil }
        // An app may know where it stands and have told the service.
        if theirs.isEmpty, path == ours || path.hasPrefix(ours + "/") { return nil }
        return ours.isEmpty && !rest.hasPrefix("/") ? "/" + rest : ours + rest
    }

    /// Nil where the path does not lead below `base`.
    private static func rest(of path: String, behind base: String) -> Substring? {
        guard path.hasPrefix(base) else { return nil }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || base.isEmpty || "/?#".contains(rest.first ?? "/") ? rest : nil
    }

    func rewritten(_ page: [UInt8]) -> [UInt8] {
        var made: [UInt8] = []
        var (copied, place) = (0, 0)
        while let sign = page[place...].firstIndex(of: UInt8(ascii: "=")) {
            place = sign + 1
            guard Self.names.contains(where: { page[..<sign].isAttribute($0) }) else { continue }
            var start = place
            if start < page.count, page[start] == UInt8(ascii: "\"") || page[start] == UInt8(ascii: "'") {
                start += 1
            }
            guard start < page.count, page[start] == UInt8(ascii: "/") else { continue }
            let value = page[start...].prefix { !" \t\r\n\"'<>".utf8.contains($0) }
            // What stands in a value is no attribute, and is not looked at again.
            place = value.endIndex
            // A page may have another charset, of which ASCII is a part.
            let ascii = value.prefix { $0 < 0x80 }
            guard let path = ours(String(decoding: ascii, as: UTF8.self)) else { continue }
            made += page[copied..<start]
            made += path.utf8
            copied = ascii.endIndex
        }
        return copied == 0 ? page : made + page[copied...]
    }
}

extension ArraySlice<UInt8> {
    /// Whether the name of an attribute ends here.
    fileprivate func isAttribute(_ name: [UInt8]) -> Bool {
        guard suffix(name.count).elementsEqual(name, by: { $0 | 0x20 == $1 }) else { return false }
        guard let before = dropLast(name.count).last else { return false }
        return " \t\r\n;\"'".utf8.contains(before)
    }
}
