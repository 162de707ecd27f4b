/// What a webhook may look like.
enum WebhookRules {
    /// Hooks that a world may have; ours.
    static let limit = 100
    /// Events that one hook may name; ours.
    static let eventLimit = 100
    /// Bytes of a callback's URL; ours.
    static let urlLimit = 2048

    /// Whether a callback can be called: `http` or `https` and a host, without blanks.
    static func isURL(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard text.utf8.count <= urlLimit,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
            let scheme = ["http://", "https://"].first(where: lower.hasPrefix)
        else { return false }
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return !host.isEmpty && !host.hasPrefix(":")
    }
}
