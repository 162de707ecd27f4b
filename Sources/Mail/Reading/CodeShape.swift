/// A piece of text that is written like a code.
struct CodeShape {
    enum Form { case digits, mixed, groups, letters }

    /// ASCII, groups of digits joined.
    let code: String
    let form: Form
    /// Of the text.
    let range: Range<Int>
    let place: TextPlace
    let end: Int
    var hasSmalls = false
    /// Alone on its line, or with marks only.
    var isAlone = false
    /// `@example.com #123456`. Source: WICG, origin-bound one-time codes delivered via SMS.
    var isBound = false
    /// What says that it is none, whatever stands around it; empty otherwise.
    var flaw: CodeDecision.Reason?
    /// It counts only right behind the word that names it.
    var isDoubtful = false
    var isYear: Bool {
        form == .digits && code.utf8.count == 4 && (code.hasPrefix("19") || code.hasPrefix("20"))
    }
}

/// Joins the pieces of a text into codes.
struct ShapeReader {
    /// Of one text: more of them are a table of data.
    private static let most = 1000

    private let scan: TextScan
    private(set) var shapes: [CodeShape] = []

    init(_ scan: TextScan) {
        self.scan = scan
        var index = 0
        while index < scan.pieces.count, shapes.count < Self.most {
            let dashed = chain(from: index) { dash($0) }
            if dashed > index + 1 {
                addDashed(index..<dashed)
                index = dashed
                continue
            }
            let spaced = scan.pieces[index].isDigits ? spacedChain(from: index) : index + 1
            if spaced > index + 1, addSpaced(index..<spaced) {
                index = spaced
            } else {
                addSingle(index)
                index += 1
            }
        }
    }

    private func chain(from first: Int, _ joins: (Range<Int>) -> Bool) -> Int {
        var end = first + 1
        while end < scan.pieces.count,
            joins(scan.pieces[end - 1].range.upperBound..<scan.pieces[end].range.lowerBound)
        { end += 1 }
        return end
    }

    /// Groups of digits with one blank between them; single digits may stand in lines or cells of their own.
    private func spacedChain(from first: Int) -> Int {
        let isSingle = scan.pieces[first].size == 1
        var end = first + 1
        while end < scan.pieces.count, scan.pieces[end].isDigits, (scan.pieces[end].size == 1) == isSingle,
            blank(
                scan.pieces[end - 1].range.upperBound..<scan.pieces[end].range.lowerBound, mayBreak: isSingle)
        { end += 1 }
        return end
    }

    private func dash(_ gap: Range<Int>) -> Bool {
        if gap.count == 1 { return scan.bytes[gap.lowerBound] == UInt8(ascii: "-") }
        // U+2010 to U+2013.
        return gap.count == 3 && scan.bytes[gap.lowerBound] == 0xE2 && scan.bytes[gap.lowerBound + 1] == 0x80
            && 0x90...0x93 ~= scan.bytes[gap.lowerBound + 2]
    }

    private func blank(_ gap: Range<Int>, mayBreak: Bool) -> Bool {
        let bytes = scan.bytes[gap]
        if mayBreak {
            return !bytes.isEmpty && bytes.count <= 40
                && bytes.allSatisfy { $0 <= 0x20 || $0 == 0xC2 || $0 == 0xA0 || $0 == UInt8(ascii: "|") }
        }
        return bytes.elementsEqual([0x20]) || bytes.elementsEqual([0xC2, 0xA0])
            || bytes.elementsEqual([0xE2, 0x80, 0xAF])
            || bytes.elementsEqual([0xE2, 0x80, 0x89])
    }

    // MARK: Shapes

    private mutating func addDashed(_ range: Range<Int>) {
        let pieces = scan.pieces[range]
        let sizes = Set(pieces.map(\.size))
        let isEven = sizes.count == 1
        let size = pieces[range.lowerBound].size
        let isIdentifier = isPart(pieces.first, pieces.last)
        if pieces.allSatisfy(\.isDigits) {
            let total = pieces.reduce(0) { $0 + $1.size }
            let isCode = isEven && 4...10 ~= total && (size == 1 || size >= 3)
            add(range, joined(range, ""), .digits, flaw: isCode && !isIdentifier ? nil : .dateOrPhone)
        } else if pieces.count == 2, let first = pieces.first, let last = pieces.last, first.digits == 0,
            first.capitals <= 2, first.smalls == 0,
            last.isDigits, 4...8 ~= last.size
        {
            add(
                (range.lowerBound + 1)..<range.upperBound,
                joined((range.lowerBound + 1)..<range.upperBound, ""), .digits,
                flaw: isIdentifier ? .identifier : nil)
        } else {
            let isCode = isEven && 3...6 ~= size && pieces.count <= 6 && pieces.allSatisfy { $0.smalls == 0 }
            let hasDigit = pieces.contains { $0.digits > 0 }
            var shape = shape(
                range, joined(range, "-"), hasDigit ? .groups : .letters,
                flaw: isCode && !isIdentifier ? nil : .identifier)
            shape.isDoubtful = !hasDigit && size < 4
            shapes.append(shape)
        }
    }

    /// - Returns: false when the pieces are to be looked at one by one.
    private mutating func addSpaced(_ range: Range<Int>) -> Bool {
        let sizes = scan.pieces[range].map(\.size)
        let total = sizes.reduce(0, +)
        let isEven = Set(sizes).count == 1
        if isEven, sizes[0] == 1 { if range.count < 4 { return true } }
        if isEven, sizes[0] != 5, 4...10 ~= total {
            var shape = shape(range, joined(range, ""), .digits)
            shape.isDoubtful = sizes[0] == 2
            shapes.append(shape)
            return true
        }
        guard range.count > 2 || total > 10 || sizes[0] < 4 && sizes[1] < 4 else { return false }
        add(range, joined(range, " "), .digits, flaw: .phone)
        return true
    }

    private mutating func addSingle(_ index: Int) {
        let piece = scan.pieces[index]
        let text = joined(index..<(index + 1), "")
        let isPart = isPart(piece, piece)
        if piece.isDigits {
            guard 4...20 ~= piece.size else { return }
            return add(
                index..<(index + 1), text, .digits,
                flaw: piece.size > 10 ? .tooLong : isPart ? .identifier : nil)
        }
        guard 4...12 ~= piece.size, piece.digits > 0 || piece.smalls == 0 else { return }
        var shape = shape(
            index..<(index + 1), text, piece.digits > 0 ? .mixed : .letters, flaw: isPart ? .identifier : nil)
        shape.hasSmalls = piece.smalls > 0
        // “300s”, “15min”, “4th”, “v2024”.
        let tail = text.utf8.drop(while: \.isDigit)
        let isCount = piece.digits <= 4 && piece.capitals == 0 && tail.count == piece.smalls
        let isVersion =
            piece.smalls == 1 && piece.capitals == 0 && text.utf8.first.map { !$0.isDigit } == true
        shape.isDoubtful = piece.digits == 0 || piece.smalls > 0
        if isCount || isVersion { shape.flaw = .identifier }
        shapes.append(shape)
    }

    /// Whether it goes on behind a dash, as identifiers do.
    private func isPart(_ first: TextScan.Piece?, _ last: TextScan.Piece?) -> Bool {
        guard let first, let last else { return false }
        let (start, end) = (first.range.lowerBound, last.range.upperBound)
        let dash = UInt8(ascii: "-")
        if start > 1, scan.bytes[start - 1] == dash, isWord(scan.bytes[start - 2]) { return true }
        return end + 1 < scan.bytes.count && scan.bytes[end] == dash && isWord(scan.bytes[end + 1])
    }

    private func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte >= 0x80 }

    private func joined(_ range: Range<Int>, _ separator: String) -> String {
        scan.pieces[range].map { piece in
            var (text, index) = ([UInt8](), piece.range.lowerBound)
            while index < piece.range.upperBound {
                let (scalar, size) = TextScan.scalar(scan.bytes, index)
                if let digit = TextFolding.digit(scalar) {
                    text.append(digit + 0x30)
                } else {
                    text.append(
                        UInt8(truncatingIfNeeded: 0xFF21...0xFF3A ~= scalar ? scalar - 0xFF21 + 0x41 : scalar)
                    )
                }
                index += size
            }
            return String(decoding: text, as: UTF8.self)
        }.joined(separator: separator)
    }

    private mutating func add(
        _ range: Range<Int>, _ code: String, _ form: CodeShape.Form, flaw: CodeDecision.Reason? = nil
    ) {
        shapes.append(shape(range, code, form, flaw: flaw))
    }

    private func shape(
        _ range: Range<Int>, _ code: String, _ form: CodeShape.Form, flaw: CodeDecision.Reason? = nil
    ) -> CodeShape {
        let (first, last) = (scan.pieces[range.lowerBound], scan.pieces[range.upperBound - 1])
        let bytes = first.range.lowerBound..<last.range.upperBound
        let edges = CodeEdges(scan.bytes, bytes)
        var shape = CodeShape(code: code, form: form, range: bytes, place: first.place, end: last.end)
        (shape.isAlone, shape.isBound) = (edges.isAlone, edges.isBound)
        shape.flaw = flaw ?? (edges.isBound ? nil : edges.flaw)
        return shape
    }
}
