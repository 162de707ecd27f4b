import Essentials
import HTTP

/// A form with a file, as browsers send it: a body of `multipart/form-data`. Source: RFC 7578; RFC 2046 §5.1.1.
struct MultipartForm: Sendable {
    struct Part: Sendable, Equatable {
        let name: String
        /// What the file is called there; nil for a field that is none.
        let file: String?
        let bytes: [UInt8]
    }

    /// Parts of a form; ours have a handful.
    private static let partLimit = 64
    /// Bytes of the lines above a part.
    private static let headLimit = 8192

    private(set) var parts: [Part] = []

    static func isOne(_ request: Request) -> Bool {
        (request.headers["Content-Type"] ?? "").asciiLowercased.hasPrefix("multipart/form-data")
    }

    /// - Throws: ``RequestMalformed``.
    init(_ request: Request) throws {
        guard let mark = Self.boundary(of: request.headers["Content-Type"] ?? "") else {
            throw RequestMalformed(reason: "The form does not say by what its parts are divided.")
        }
        let body = request.body
        let dash = Array(("--" + mark).utf8)
        guard body.starts(with: dash) else {
            throw RequestMalformed(reason: "The form does not begin with its first part.")
        }
        let divider = Self.line + dash
        var place = dash.count
        while true {
            // Two more dashes end the form.
            if body[place...].starts(with: "--".utf8) { return }
            guard body[place...].starts(with: Self.line) else {
                throw RequestMalformed(reason: "A part of the form does not begin on a line of its own.")
            }
            guard parts.count < Self.partLimit else {
                throw RequestMalformed(reason: "The form has more than \(Self.partLimit) parts.")
            }
            let start = place + Self.line.count
            guard let end = Self.place(of: divider, in: body[start...]) else {
                throw RequestMalformed(reason: "The last part of the form does not end.")
            }
            parts.append(try Self.part(body[start..<end]))
            place = end + divider.count
        }
    }

    private static let line = Array("\r\n".utf8)

    /// Where `sought`, which begins with a carriage return, stands first.
    private static func place(of sought: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let start = rest.firstIndex(of: 0x0D) {
            rest = rest[start...]
            if rest.starts(with: sought) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Source: RFC 2046 §5.1.1, of 1 to 70 characters.
    private static func boundary(of type: String) -> String? {
        guard let mark = parameter("boundary", of: type), 1...70 ~= mark.utf8.count,
            mark.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return nil }
        return mark
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws -> Part {
        let blank = line + line
        guard let gap = place(of: blank, in: bytes.prefix(headLimit + blank.count)) else {
            throw RequestMalformed(reason: "A part of the form has no blank line below its head.")
        }
        let lines = String(decoding: bytes[..<gap], as: UTF8.self).split(separator: "\r\n")
        let field =
            lines.first { $0.asciiLowercased.hasPrefix("content-disposition:") }.map(String.init) ?? ""
        guard let name = parameter("name", of: field) else {
            throw RequestMalformed(reason: "A part of the form has no name.")
        }
        return Part(
            name: unescaped(name), file: parameter("filename", of: field).map(unescaped),
            bytes: Array(bytes[(gap + blank.count)...]))
    }

    /// `name="value"` or `name=value` behind a semicolon, where no quotation marks are around it.
    private static func parameter(_ name: String, of field: String) -> String? {
        var (pieces, isQuoted): ([String], Bool) = ([""], false)
        for character in field {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        for piece in pieces.dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, String(pair[0]).trimmed.equalsIgnoringCase(name) else { continue }
            let value = String(pair[1]).trimmed
            let isWhole = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return isWhole ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }

    /// Source: WHATWG HTML, “multipart/form-data encoding algorithm”.
    private static func unescaped(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    /// The first part of the name as text.
    subscript(_ name: String) -> String? {
        parts.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    func values(of name: String) -> [String] {
        parts.filter { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The first part of the name that is a file somebody chose: one that nobody chose is empty, without a name.
    func file(_ name: String) -> Part? {
        parts.first { $0.name == name && !($0.file ?? "").isEmpty }
    }
}
