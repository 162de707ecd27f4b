/// One pass over a text: what may be a code or a piece of one, the words that tell what numbers are, and how far they stand from each other.
///
/// Distances are in halves of a word: a letter of a script without blanks is one, a word two, a new line six, the end of a sentence sixteen.
struct TextScan {
    /// A word that tells something.
    struct Label {
        var kinds: Lexicon.Kinds
        let range: Range<Int>
        /// Where it begins.
        let place: TextPlace
        /// Its distance behind the last of it.
        let end: Int
    }

    /// Letters and digits without a mark between them: digits, or such as might belong to a code.
    struct Piece {
        let range: Range<Int>
        let place: TextPlace
        let end: Int
        var digits = 0
        var capitals = 0
        var smalls = 0

        var isDigits: Bool { capitals + smalls == 0 }
        var size: Int { digits + capitals + smalls }
    }

    private static let mostPieces = 10_000

    let bytes: [UInt8]
    private(set) var labels: [Label] = []
    private(set) var pieces: [Piece] = []

    private let lexicon = Lexicon.shared
    private var place = TextPlace()
    private var index = 0
    /// The folded word before, for words of two.
    private var previous = WordHash.beginning
    private var wordSize = 0
    private var newLines = 0
    /// The bytes while they are read, without a check at each of them: a text is valid UTF-8, and `index` stays within it.
    private var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        // At once, so that they do not move while they grow; what is not used of it costs nothing.
        labels.reserveCapacity(bytes.count / 16)
        pieces.reserveCapacity(min(bytes.count / 16, Self.mostPieces))
        bytes.withUnsafeBufferPointer { source in
            self.source = source
            while index < source.count { step() }
        }
        source = UnsafeBufferPointer(start: nil, count: 0)
    }

    private mutating func step() {
        let byte = source[index]
        if byte < 0x80 {
            if byte.isAlphanumeric {
                readWord()
            } else if byte == 0x20 {
                index += 1
            } else {
                readMark(byte)
            }
            return
        }
        let (scalar, size) = Self.scalar(source, index)
        if TextFolding.digit(scalar) != nil {
            readWord()
        } else if TextFolding.isUnspaced(scalar) {
            readUnspaced(scalar, size)
        } else if TextFolding.isLetter(scalar) {
            readWord()
        } else {
            readMark(scalar)
            index += size
        }
    }

    /// The scalar at `index`, and its bytes.
    static func scalar(_ bytes: [UInt8], _ index: Int) -> (UInt32, Int) {
        bytes.withUnsafeBufferPointer { scalar($0, index) }
    }

    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (UInt32, Int) {
        let first = UInt32(bytes[index])
        func more(_ offset: Int) -> UInt32 {
            index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : 0
        }
        if first < 0x80 { return (first, 1) }
        if first < 0xE0 { return ((first & 0x1F) << 6 | more(1), 2) }
        if first < 0xF0 { return ((first & 0xF) << 12 | more(1) << 6 | more(2), 3) }
        return ((first & 7) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4)
    }

    // MARK: Words

    /// What a word is made of.
    private struct Makeup {
        var digits = 0
        var capitals = 0
        var smalls = 0
        /// Letters beyond ASCII.
        var others = 0
        var letters: Int { capitals + smalls + others }
    }

    private mutating func readWord() {
        newLines = 0
        let start = index
        var (folded, exact) = (WordHash.beginning, WordHash.beginning)
        var makeup = Makeup()
        readASCII(&makeup, &folded)
        exact = folded
        while index < source.count, source[index] >= 0x80 {
            guard readScalar(&makeup, &folded, &exact) else { break }
            let before = index
            guard makeup.others == 0 || index < source.count && !source[index].isDigit else { break }
            var more = WordHash.beginning
            if index < source.count, source[index] < 0x80 {
                more = folded
                readASCII(&makeup, &more, mayBeDigits: makeup.others == 0)
                for byte in source[before..<index] { WordHash.add(UInt32(byte.lowercased), to: &exact) }
                folded = more
            }
        }
        if index == start { return index += 1 }
        keepWord(start, folded, exact, makeup)
    }

    private mutating func readASCII(_ makeup: inout Makeup, _ hash: inout UInt64, mayBeDigits: Bool = true) {
        while index < source.count {
            let byte = source[index]
            if byte &- 0x61 < 26 {
                makeup.smalls += 1
                WordHash.add(UInt32(byte), to: &hash)
            } else if byte &- 0x41 < 26 {
                makeup.capitals += 1
                WordHash.add(UInt32(byte | 0x20), to: &hash)
            } else if byte &- 0x30 < 10, mayBeDigits {
                makeup.digits += 1
                WordHash.add(UInt32(byte), to: &hash)
            } else {
                return
            }
            index += 1
        }
    }

    /// - Returns: false where the word ends.
    private mutating func readScalar(_ makeup: inout Makeup, _ folded: inout UInt64, _ exact: inout UInt64)
        -> Bool
    {
        let (scalar, size) = Self.scalar(source, index)
        if TextFolding.digit(scalar) != nil {
            if makeup.letters > 0 { return false }
            makeup.digits += 1
        } else {
            if TextFolding.isUnspaced(scalar) || !TextFolding.isLetter(scalar) { return false }
            if let letter = TextFolding.folded(scalar) {
                if makeup.digits > 0, makeup.letters == 0 { return false }
                // A letter of the full width is one of ASCII.
                if 0xFF21...0xFF3A ~= scalar { makeup.capitals += 1 } else { makeup.others += 1 }
                WordHash.add(letter, to: &folded)
                WordHash.add(TextFolding.lowercased(scalar), to: &exact)
            }
        }
        index += size
        return true
    }

    private mutating func keepWord(
        _ start: Int, _ folded: UInt64, _ exact: UInt64, _ piece: Makeup
    ) {
        let began = place
        place.at += 2
        defer { (previous, wordSize) = (folded, index - start) }
        let isCapital = piece.smalls + piece.others == 0 && piece.capitals > 0
        if piece.digits == 0 {
            let kinds = lexicon.kinds(
                folded, exact, after: previous, source[start..<index], isCapital: isCapital)
            if !kinds.isEmpty {
                labels.append(Label(kinds: kinds, range: start..<index, place: began, end: place.at))
            }
            guard isCapital, 1...10 ~= piece.capitals, kinds.isDisjoint(with: [.code, .secret, .quiet]) else {
                return
            }
        }
        guard piece.others == 0, piece.digits + piece.capitals + piece.smalls <= 24 else { return }
        guard pieces.count < Self.mostPieces else { return }
        if split(start, piece, began) { return }
        pieces.append(
            Piece(
                range: start..<index, place: began, end: place.at, digits: piece.digits,
                capitals: piece.capitals, smalls: piece.smalls))
    }

    /// `OTP123456`: a word and a code without a blank.
    private mutating func split(
        _ start: Int, _ piece: Makeup, _ began: TextPlace
    ) -> Bool {
        let letters = piece.capitals + piece.smalls
        guard letters > 1, piece.digits > 3, index - start == letters + piece.digits else { return false }
        guard source[start..<(start + letters)].allSatisfy({ !$0.isDigit }) else { return false }
        var hash = WordHash.beginning
        for byte in source[start..<(start + letters)] { WordHash.add(UInt32(byte.lowercased), to: &hash) }
        let kinds = lexicon.kinds(
            hash, hash, after: previous, source[start..<start], isCapital: piece.smalls == 0)
        guard !kinds.isDisjoint(with: [.code, .secret]) else { return false }
        labels.append(Label(kinds: kinds, range: start..<(start + letters), place: began, end: place.at))
        pieces.append(
            Piece(range: (start + letters)..<index, place: place, end: place.at + 2, digits: piece.digits))
        return true
    }

    private mutating func readUnspaced(_ scalar: UInt32, _ size: Int) {
        (newLines, wordSize) = (0, 9)
        let began = place
        guard let (length, kinds) = lexicon.unspaced(scalar, source, at: index) else {
            index += size
            place.at += 1
            return
        }
        var hash = WordHash.beginning
        for byte in source[index..<(index + length)] { WordHash.add(UInt32(byte), to: &hash) }
        place.at += length / size
        labels.append(Label(kinds: kinds, range: index..<(index + length), place: began, end: place.at))
        index += length
        previous = hash
    }

    // MARK: Marks

    private mutating func readMark(_ byte: UInt8) {
        switch byte {
        case .lineFeed:
            newLines += 1
            if newLines < 3 { place.at += newLines == 1 ? 6 : 4 }
            place.line += 1
            place.clause += 1
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
            let next = index + 1 < source.count ? source[index + 1] : 0x20
            // “No. 123”, “Tel. 030”.
            if next <= 0x20, byte != UInt8(ascii: ".") || wordSize > 3 || wordSize == 0 { endSentence() }
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "("), UInt8(ascii: "|"): pause()
        case UInt8(ascii: ":"):
            if index + 2 < source.count, source[index + 1] == UInt8(ascii: "/"),
                source[index + 2] == UInt8(ascii: "/")
            {
                return skipAddress()
            }
            place.clause += 1
        case UInt8(ascii: "@"):
            if index > 0, source[index - 1].isAlphanumeric {
                let start =
                    source[..<index].lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: "<") || $0 >= 0x80 } ?? -1
                while let last = pieces.last, last.range.lowerBound > start { pieces.removeLast() }
                while let last = labels.last, last.range.lowerBound > start { labels.removeLast() }
                return skipAddress()
            }
            if index + 1 < source.count, source[index + 1].isAlphanumeric { return skipAddress() }
        default: break
        }
        index += 1
    }

    private mutating func readMark(_ scalar: UInt32) {
        switch scalar {
        case 0x3002, 0xFF01, 0xFF1F, 0x61F, 0x6D4, 0x964, 0x965, 0xFF61: endSentence()
        case 0x2013, 0x2014, 0xFF1A, 0xFF0C, 0x3001, 0x60C, 0x61B, 0xFF1B, 0xFF08, 0xFF5C: pause()
        default: break
        }
    }

    private mutating func endSentence() {
        place.sentence += 1
        place.clause += 1
        place.at += 16
    }

    private mutating func pause() {
        place.clause += 1
        place.at += 2
    }

    /// Goes behind an address: nothing in it is a word or a code.
    private mutating func skipAddress() {
        while index < source.count, source[index] > 0x20, source[index] < 0x80,
            !"<>\"".utf8.contains(source[index])
        { index += 1 }
        place.at += 2
        (wordSize, newLines) = (9, 0)
    }
}
