import Essentials
import HTTP

/// JSON to look at: a member to a line, coloured by kind, each object and list to be folded. Members keep their order, numbers and texts the
/// form in which they came.
struct JSONMarkup {
    let html: HTML

    /// Nil for what is no JSON.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (try? JSONValue(parsing: bytes)) != nil else { return nil }
        var reader = JSONMarkupReader(bytes: bytes)
        html = "<div class=\"json\" tabindex=\"0\">\(reader.value(named: .none).html())</div>"
    }
}

/// Reads valid JSON, whose depth has a limit, and writes it as markup.
private struct JSONMarkupReader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// A value, to which a comma may come.
    struct Piece {
        let start: HTML
        let end: HTML

        func html(_ comma: HTML = .none) -> HTML { "\(start)\(comma)\(end)" }
    }

    /// - Parameter name: `"name": `, or nothing for an element of a list.
    mutating func value(named name: HTML) -> Piece {
        switch next {
        case UInt8(ascii: "{"): return group(name, end: UInt8(ascii: "}"), hasNames: true)
        case UInt8(ascii: "["): return group(name, end: UInt8(ascii: "]"), hasNames: false)
        case UInt8(ascii: "\""):
            return Piece(start: "<div>\(name)<span class=\"string\">\(string())</span>", end: "</div>")
        default:
            let start = place
            while place < bytes.count, !" \n\r\t,]}".utf8.contains(bytes[place]) { place += 1 }
            return Piece(
                start: "<div>\(name)<span class=\"plain\">\(text(from: start))</span>", end: "</div>")
        }
    }

    private mutating func group(_ name: HTML, end: UInt8, hasNames: Bool) -> Piece {
        let (open, close) = (text(of: bytes[place]), text(of: end))
        place += 1
        var members: [HTML] = []
        while let byte = next, byte != end {
            let member = value(named: hasNames ? memberName() : .none)
            let isFollowed = next == UInt8(ascii: ",")
            if isFollowed { place += 1 }
            members.append(member.html(isFollowed ? "," : .none))
        }
        place += 1
        if members.isEmpty { return Piece(start: "<div>\(name)\(open)\(close)", end: "</div>") }
        return Piece(
            start: """
                <details open><summary>\(name)\(open)</summary>
                <div class="inside">
                \(members)
                </div>
                \(close)
                """,
            end: "</details>")
    }

    private mutating func memberName() -> HTML {
        let name = string()
        _ = next
        place += 1
        _ = next
        return "<span class=\"name\">\(name)</span>: "
    }

    /// With its quotation marks.
    private mutating func string() -> String {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return text(from: start)
    }

    /// The next byte that is no white space, which is passed over.
    private var next: UInt8? {
        mutating get {
            while place < bytes.count, " \n\r\t".utf8.contains(bytes[place]) { place += 1 }
            return place < bytes.count ? bytes[place] : nil
        }
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }
    private func text(of byte: UInt8) -> String { String(decoding: [byte], as: UTF8.self) }
}
