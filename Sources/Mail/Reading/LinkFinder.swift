import Essentials

/// A link of a mail, and what it is for.
package struct FoundLink: Sendable, Equatable {
    package let address: String
    /// On what a person clicks; in plain text the words before the address.
    package let text: String
    /// `verify`, `reset`, `activate`, `signin`, `invite`; nil for others, `footer` for those that belong to every mail.
    package let goal: String?
    package let score: Int
}

/// Finds the link to follow: by what stands on it, by its path, and by where else nothing leads.
package struct LinkFinder: Sendable {
    private static let most = 200
    private static let least = 30

    /// Each address once, in the order of the mail.
    package private(set) var links: [FoundLink] = []
    /// The one that verifies, resets or signs in; else the only one that leads anywhere but to a footer's pages.
    package private(set) var link: String?

    /// - Parameters: the plain part, and the links of the HTML.
    package init(text: String, links: [HTMLText.Link]) {
        for link in links where Self.isAddress(Array(link.address.utf8)[...]) {
            add(link.address, link.text, context: link.text, bonus: link.isPicture ? -15 : 0)
        }
        for link in WebAddresses(text).found where Self.isAddress(Array(link.address.utf8)[...]) {
            add(link.address, link.before, context: link.before + " " + link.behind, bonus: 0)
        }
        link = first
    }

    /// The best of the first goal; one of a footer never.
    private var first: String? {
        let open = links.filter { $0.goal != "footer" }
        var best: FoundLink?
        for link in open where link.score >= Self.least && link.score > best?.score ?? 0 { best = link }
        return (best ?? (open.count == 1 ? open.first : nil))?.address
    }

    /// The best link of each goal.
    package var byGoal: [String: FoundLink] {
        links.reduce(into: [:]) { best, link in
            guard let goal = link.goal, goal != "footer", link.score > best[goal]?.score ?? 0 else { return }
            best[goal] = link
        }
    }

    private mutating func add(_ address: String, _ text: String, context: String, bonus: Int) {
        guard links.count < Self.most else { return }
        let (goal, score) = Self.goal(of: address, context)
        let found = FoundLink(address: address, text: text, goal: goal, score: score + bonus)
        guard let index = links.firstIndex(where: { $0.address == address }) else {
            return links.append(found)
        }
        // A footer's words around an address say nothing against a button with it.
        if found.score > links[index].score { links[index] = found }
    }

    private static func goal(of address: String, _ text: String) -> (String?, Int) {
        let words = folded(text)
        let parts = WebAddress(address)
        let path = folded(parts.path)
        if goals["footer"]?.contains(where: { contains(words, $0) || contains(path, $0) }) == true,
            !strong(words)
        {
            return ("footer", 0)
        }
        var (goal, score) = (nil as String?, 0)
        for name in order {
            guard let stems = goals[name] else { continue }
            let points =
                (stems.contains { contains(words, $0) } ? 60 : 0)
                + (stems.contains { contains(path, $0) } ? 40 : 0)
            if points > score { (goal, score) = (name, points) }
        }
        if path.isEmpty, parts.isWeb { score -= 15 }
        if !parts.isWeb { score += 35 }
        if parts.hasToken { score += 12 }
        return (goal, score)
    }

    /// Whether the words name a goal so early that what follows is no footer: “Confirm your subscription”.
    private static func strong(_ words: [UInt8]) -> Bool {
        guard words.count < 40 else { return false }
        return order.contains { name in goals[name]?.contains { words.starts(with: $0) } == true }
    }

    private static let order = ["reset", "verify", "activate", "signin", "invite"]

    private static let goals: [String: [[UInt8]]] = {
        var goals: [String: [[UInt8]]] = [:]
        for line in words.split(separator: "\n") {
            let items = line.split(separator: " ")
            guard let name = items.first else { continue }
            goals[String(name)] = items.dropFirst().map { folded(String($0).replacing("_", with: " ")) }
        }
        return goals
    }()

    /// Without case and accents; dashes and underscores are blanks.
    private static func folded(_ text: String) -> [UInt8] {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isJoint = scalar == "-" || scalar == "_" || scalar == "\n"
            if let folded = TextFolding.folded(isJoint ? 0x20 : scalar.value).flatMap(Unicode.Scalar.init) {
                scalars.append(folded)
            }
        }
        return Array(String(scalars).utf8)
    }

    /// Whether `part` begins a word of `bytes`; beyond ASCII it may stand anywhere, and so may one of a path such as `spamconfirm`.
    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count, let first = part.first else { return false }
        for start in 0...(bytes.count - part.count) where bytes[start] == first {
            if first < 0x80, part.count < 5, start > 0, bytes[start - 1].isAlphanumeric { continue }
            var index = 1
            while index < part.count, bytes[start + index] == part[index] { index += 1 }
            if index == part.count { return true }
        }
        return false
    }

    /// A scheme and something behind it that leads to a page or into an app.
    private static func isAddress(_ link: ArraySlice<UInt8>) -> Bool {
        let scheme = link.prefix { $0.isAlphanumeric || "+.-".utf8.contains($0) }
        let rest = link[scheme.endIndex...]
        guard !scheme.isEmpty, rest.first == UInt8(ascii: ":"), rest.count > 2, link.count <= 4096,
            link.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            return false
        }
        let name = String(decoding: scheme, as: UTF8.self).asciiLowercased
        if ["mailto", "tel", "sms", "data", "javascript", "cid", "file", "vbscript", "about", "blob"]
            .contains(name)
        {
            return false
        }
        if rest.starts(with: "://".utf8) { return rest.count > 3 }
        return name != "http" && name != "https" && rest.starts(with: ":/".utf8)
    }
}
