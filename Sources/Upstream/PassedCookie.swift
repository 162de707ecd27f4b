import Essentials
import HTTP

/// A field `Set-Cookie` of the service, as a browser on our address takes it. Source: RFC 6265bis §4.1, §5.6.
struct PassedCookie {
    let paths: PagePaths
    /// Host of the service.
    let host: String
    /// Whether the client speaks TLS with us.
    let isSecure: Bool

    func ours(_ field: String) -> String {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        let name = parts.first.map { String($0.prefix { $0 != "=" }) } ?? ""
        // Their names promise Secure, and the first no domain and the path /: a browser takes them so or not at all.
        let isPrefixed = ["__secure-", "__host-"].contains { name.asciiLowercased.hasPrefix($0) }
        let keepsSecure = isSecure || isPrefixed
        let keepsPath = name.asciiLowercased.hasPrefix("__host-")
        return parts.enumerated().compactMap { index, part in
            index == 0 ? part : attribute(part, keepsSecure: keepsSecure, keepsPath: keepsPath)
        }.joined(separator: "; ")
    }

    /// Nil for one that is left out.
    private func attribute(_ part: String, keepsSecure: Bool, keepsPath: Bool) -> String? {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        let value = pair.count > 1 ? pair[1] : ""
        switch pair[0].asciiLowercased {
        // One for the host or a domain above it is for our host alone; no browser takes the name of another one from us.
        case "domain": return isOfService(value) ? nil : part
        case "path": return keepsPath ? part : "Path=" + path(value)
        case "secure", "partitioned": return keepsSecure ? part : nil
        // None without Secure is refused.
        case "samesite": return value.asciiLowercased == "none" && !keepsSecure ? "SameSite=Lax" : part
        default: return part
        }
    }

    private func isOfService(_ domain: String) -> Bool {
        let domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).asciiLowercased
        return domain.isEmpty || host == domain || host.hasSuffix("." + domain)
    }

    /// One of all of the service, or of a part above where it stands, is one of the mount.
    private func path(_ theirs: String) -> String {
        guard theirs.hasPrefix("/"), theirs != "/" else { return paths.ours.isEmpty ? "/" : paths.ours }
        if let ours = paths.ours(theirs) { return ours }
        return paths.theirs.hasPrefix(theirs) ? (paths.ours.isEmpty ? "/" : paths.ours) : theirs
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
