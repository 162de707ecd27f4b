/// The words that tell what a number in a mail is; see ``words``.
struct Lexicon: Sendable {
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt16
        /// Names what is typed: code, PIN, one-time password.
        static let code = Kinds(rawValue: 1)
        /// Names something secret that is often not in the mail: password, token.
        static let secret = Kinds(rawValue: 2)
        /// What one does with a code: verify, sign in, enter.
        static let act = Kinds(rawValue: 4)
        /// Names another number: account, telephone.
        static let other = Kinds(rawValue: 8)
        /// Turns a word for a code into another number: postal, promotion.
        static let spoiler = Kinds(rawValue: 16)
        /// Stands between such words: of.
        static let link = Kinds(rawValue: 32)
        /// The word number itself.
        static let number = Kinds(rawValue: 64)
        /// Stands behind a price, a span of time or a count.
        static let unit = Kinds(rawValue: 128)
        /// Is no code itself when it stands in capitals.
        static let quiet = Kinds(rawValue: 256)
        /// Counts in capitals alone.
        static let capitals = Kinds(rawValue: 512)
        /// May be the second of two words.
        static let second = Kinds(rawValue: 1024)

        /// What one does with a code before it: enter, use.
        static let enter = Kinds(rawValue: 2048)
        /// Says of a code that it is good no more.
        static let old = Kinds(rawValue: 4096)

        static let named: [String: Kinds] = [
            "code": .code, "secret": .secret, "act": .act, "other": .other, "both": [.other, .spoiler],
            "number": .number,
            "unit": .unit, "link": .link, "quiet": .quiet, "enter": .enter, "old": .old,
        ]
        /// What a subject tells about the text.
        static let hints: Kinds = [.code, .secret, .act, .enter]
        static let anyName: Kinds = [.code, .secret, .act, .other, .enter]
    }

    static let shared = Lexicon()

    private var words: [UInt64: Kinds] = [:]
    private var table: WordTable
    private var pairs: [UInt64: Kinds] = [:]
    private var heads: Set<UInt64> = []
    private var parts: Set<UInt64> = []
    /// Bytes of heads and parts, the longest first.
    private var headSizes: [Int] = []
    private var partSizes: [Int] = []
    /// The last two bytes of heads, for a quick no.
    private var headEnds = [Bool](repeating: false, count: 1024)
    /// Of scripts without blanks, by their first scalar, the longest first.
    private var unspaced: [UInt32: [(bytes: [UInt8], kinds: Kinds)]] = [:]
    private var firsts = [Bool](repeating: false, count: 4096)

    private init() {
        table = WordTable([:])
        for line in Self.words.split(separator: "\n") {
            let items = line.split(separator: " ").map(String.init)
            guard items.count > 2 else { continue }
            for item in items.dropFirst(2).flatMap(Self.expanded) { add(item, items[1]) }
        }
        headSizes = Array(Set(headSizes)).sorted(by: >)
        partSizes = Array(Set(partSizes)).sorted(by: >)
        table = WordTable(words)
        unspaced = unspaced.mapValues { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }

    /// `kod{,u}` is `kod` and `kodu`.
    private static func expanded(_ item: String) -> [String] {
        guard let open = item.firstIndex(of: "{"), let close = item.firstIndex(of: "}") else { return [item] }
        let endings = item[item.index(after: open)..<close].split(
            separator: ",", omittingEmptySubsequences: false)
        return endings.map { String(item[..<open]) + String($0) + String(item[item.index(after: close)...]) }
    }

    private mutating func add(_ item: String, _ kind: String) {
        var (text, kinds) = (Substring(item), Kinds.named[kind] ?? [])
        if text.first == "^" { (text, kinds) = (text.dropFirst(), kinds.union(.capitals)) }
        if text.first == "=" {
            return words[Self.hash(text.dropFirst(), TextFolding.lowercased), default: []].formUnion(kinds)
        }
        let (bytes, first) = (Self.bytes(text), text.unicodeScalars.first?.value ?? 0)
        if kind == "head" || kind == "part" { return addCompound(bytes, isHead: kind == "head") }
        if TextFolding.isUnspaced(first) { return addUnspaced(Array(text.utf8), first, kinds) }
        let pieces = text.split(separator: "_").map { Self.hash($0, TextFolding.folded) }
        if pieces.count == 2 {
            pairs[Self.pair(pieces[0], pieces[1]), default: []].formUnion(kinds)
            words[pieces[1], default: []].formUnion(.second)
        } else if pieces.count == 1 {
            words[pieces[0], default: []].formUnion(kinds)
        }
    }

    private mutating func addCompound(_ bytes: [UInt8], isHead: Bool) {
        let hash = WordHash.of(bytes[...])
        if isHead {
            heads.insert(hash)
            headSizes.append(bytes.count)
            headEnds[Self.end(bytes[...])] = true
        } else {
            parts.insert(hash)
            partSizes.append(bytes.count)
        }
    }

    private mutating func addUnspaced(_ bytes: [UInt8], _ first: UInt32, _ kinds: Kinds) {
        if let index = unspaced[first]?.firstIndex(where: { $0.bytes == bytes }) {
            unspaced[first]?[index].kinds.formUnion(kinds)
        } else {
            unspaced[first, default: []].append((bytes, kinds))
        }
        firsts[Int(first & 4095)] = true
    }

    /// What a word is.
    ///
    /// - Parameters: its hashes folded and with accents, that of the folded word before, and its bytes.
    func kinds(
        _ folded: UInt64, _ exact: UInt64, after previous: UInt64, _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
        isCapital: Bool
    ) -> Kinds {
        var kinds = table[folded]
        if exact != folded { kinds.formUnion(table[exact]) }
        if kinds.contains(.second), let pair = pairs[Self.pair(previous, folded)] { kinds = pair }
        if kinds.contains(.capitals), !isCapital { kinds = [] }
        guard kinds.isEmpty, 4...60 ~= bytes.count, mayBeCompound(bytes) else { return kinds }
        return compound(Self.bytes(Substring(String(decoding: bytes, as: UTF8.self)))[...])
    }

    private func mayBeCompound(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let (last, other) = (bytes[bytes.endIndex - 1], bytes[bytes.endIndex - 2])
        return last < 0x80 && (other >= 0x80 || headEnds[Int(last & 31) << 5 | Int(other & 31)])
    }

    /// `bestätigungscode` is a word for a code behind one of what it is for; what else ends so, such as `barcode` and `gutscheincode`, names other numbers.
    private func compound(_ bytes: ArraySlice<UInt8>) -> Kinds {
        guard headEnds[Self.end(bytes)] else { return [] }
        var isOther = false
        for size in headSizes where size < bytes.count && heads.contains(WordHash.of(bytes.suffix(size))) {
            let rest = bytes.dropLast(size)
            let isPart = partSizes.contains {
                $0 <= rest.count && ($0 > 3 || $0 == rest.count)
                    && parts.contains(WordHash.of(rest.suffix($0)))
            }
            if isPart { return .code }
            isOther = isOther || size > 3 && rest.count > 1
        }
        return isOther ? .other : []
    }

    /// The longest word that begins at `index` of a text in a script without blanks.
    func unspaced(_ first: UInt32, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (
        size: Int, kinds: Kinds
    )? {
        guard firsts[Int(first & 4095)], let words = unspaced[first] else { return nil }
        for word in words where index + word.bytes.count <= bytes.count {
            var offset = 0
            while offset < word.bytes.count, bytes[index + offset] == word.bytes[offset] { offset += 1 }
            if offset == word.bytes.count { return (offset, word.kinds) }
        }
        return nil
    }

    private static func end(_ bytes: ArraySlice<UInt8>) -> Int {
        guard bytes.count > 1 else { return 0 }
        return Int(bytes[bytes.endIndex - 1] & 31) << 5 | Int(bytes[bytes.endIndex - 2] & 31)
    }

    private static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 { first &* 31 ^ second }

    private static func bytes(_ text: Substring) -> [UInt8] {
        let folded = text.unicodeScalars.compactMap {
            TextFolding.folded($0.value).flatMap(Unicode.Scalar.init)
        }
        return Array(String(String.UnicodeScalarView(folded)).utf8)
    }

    private static func hash(_ text: Substring, _ fold: (UInt32) -> UInt32?) -> UInt64 {
        var hash = WordHash.beginning
        for scalar in text.unicodeScalars {
            if let folded = fold(scalar.value) { WordHash.add(folded, to: &hash) }
        }
        return hash
    }
}

/// Finds kinds by hashes that are spread well already.
private struct WordTable {
    private var keys: [UInt64]
    private var values: [UInt16]
    private let mask: Int

    init(_ words: [UInt64: Lexicon.Kinds]) {
        var size = 16
        while size < words.count * 4 { size *= 2 }
        (keys, values, mask) = (Array(repeating: 0, count: size), Array(repeating: 0, count: size), size - 1)
        for (key, kinds) in words {
            var slot = Self.slot(key, mask)
            while values[slot] != 0 { slot = (slot + 1) & mask }
            (keys[slot], values[slot]) = (key, kinds.rawValue)
        }
    }

    private static func slot(_ key: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: key ^ key >> 32) & mask
    }

    subscript(_ key: UInt64) -> Lexicon.Kinds {
        var slot = Self.slot(key, mask)
        while values[slot] != 0 {
            if keys[slot] == key { return Lexicon.Kinds(rawValue: values[slot]) }
            slot = (slot + 1) & mask
        }
        return []
    }
}

/// FNV-1a over scalars. Source: RFC 9923.
enum WordHash {
    static let beginning: UInt64 = 0xCBF2_9CE4_8422_2325

    static func add(_ scalar: UInt32, to hash: inout UInt64) {
        hash = (hash ^ UInt64(scalar)) &* 0x100_0000_01B3
    }

    /// Of bytes, which are no scalars beyond ASCII: for parts of compounds alone.
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = beginning
        for byte in bytes { add(UInt32(byte), to: &hash) }
        return hash
    }
}
