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
        let parts = WebAddress(address)
        let (path, onIt) = (folded(parts.path), folded(text))
        let (words, places) = (LinkStems.shared.found(in: onIt), LinkStems.shared.found(in: path))
        // Words that begin with a goal are no footer's: “Confirm your subscription”.
        let isStrong = onIt.count < 40 && words.leading != 0
        if (words.all | places.all) & LinkStems.footer != 0, !isStrong { return ("footer", 0) }
        var (goal, score) = (nil as String?, 0)
        for (index, name) in LinkStems.order.enumerated() {
            let bit = LinkStems.bit(index)
            let points = (words.all & bit != 0 ? 60 : 0) + (places.all & bit != 0 ? 40 : 0)
            if points > score { (goal, score) = (name, points) }
        }
        if path.isEmpty, parts.isWeb { score -= 15 }
        if !parts.isWeb { score += 35 }
        if parts.hasToken { score += 12 }
        return (goal, score)
    }

    /// Without case and accents; dashes and underscores are blanks.
    static func folded(_ text: String) -> [UInt8] {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isJoint = scalar == "-" || scalar == "_" || scalar == "\n"
            if let folded = TextFolding.folded(isJoint ? 0x20 : scalar.value).flatMap(Unicode.Scalar.init) {
                scalars.append(folded)
            }
        }
        return Array(String(scalars).utf8)
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

/// The beginnings of words of ``LinkFinder/words``, found in one pass over a text.
struct LinkStems: Sendable {
    /// Goals in the order in which the first of equal ones wins; a bit each, the footer's behind them.
    static let order = ["reset", "verify", "activate", "signin", "invite"]
    static let footer = bit(order.count)
    static let shared = LinkStems()

    private struct Stem: Sendable {
        let bytes: [UInt8]
        let bit: UInt8
    }

    /// By their first two bytes.
    private var slots = [[Stem]](repeating: [], count: 1024)

    private init() {
        for line in LinkFinder.words.split(separator: "\n") {
            let items = line.split(separator: " ")
            guard let name = items.first else { continue }
            let index = Self.order.firstIndex(of: String(name)) ?? Self.order.count
            for item in items.dropFirst() {
                let bytes = LinkFinder.folded(String(item).replacing("_", with: " "))
                guard bytes.count > 1 else { continue }
                slots[Self.slot(bytes[0], bytes[1])].append(Stem(bytes: bytes, bit: Self.bit(index)))
            }
        }
    }

    static func bit(_ index: Int) -> UInt8 { 1 << UInt8(index) }

    private static func slot(_ first: UInt8, _ second: UInt8) -> Int {
        Int(first & 31) << 5 | Int(second & 31)
    }

    /// What stands in a folded text, and with which goal it begins.
    func found(in bytes: [UInt8]) -> (all: UInt8, leading: UInt8) {
        var (all, leading) = (UInt8(0), UInt8(0))
        guard bytes.count > 1 else { return (0, 0) }
        for start in 0..<(bytes.count - 1) {
            for stem in slots[Self.slot(bytes[start], bytes[start + 1])]
            where all & stem.bit == 0 && Self.stands(stem.bytes, in: bytes, at: start) {
                all |= stem.bit
                if start == 0, stem.bit != Self.footer { leading |= stem.bit }
            }
        }
        return (all, leading)
    }

    /// Short ones in ASCII begin a word; beyond ASCII they may stand anywhere, and so may long ones, as in the path `spamconfirm`.
    private static func stands(_ stem: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
        guard start + stem.count <= bytes.count else { return false }
        if stem[0] < 0x80, stem.count < 5, start > 0, bytes[start - 1].isAlphanumeric { return false }
        for index in stem.indices where bytes[start + index] != stem[index] { return false }
        return true
    }
}
