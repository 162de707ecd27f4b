import Essentials
import HTTP

/// A JSON value as it was written: members in their order, numbers in their spelling, both of which an app may notice.
package indirect enum SpelledJSON: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// As it was written, such as `1.0` or `1e3`.
    case number(String)
    case string(String)
    case array([SpelledJSON])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let name: String
        package var value: SpelledJSON
    }

    /// Nil for what is no JSON.
    init?(_ bytes: [UInt8]) {
        guard let value = try? SpelledJSONReader.value(of: bytes) else { return nil }
        self = value
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var array: [SpelledJSON]? { if case .array(let elements) = self { elements } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// The last member of that name. Source: RFC 7519 §4.
    subscript(_ name: String) -> SpelledJSON? { members?.last { $0.name == name }?.value }

    /// The last member of that name, whatever the case of its letters.
    func anyCase(_ name: String) -> Member? { members?.last { $0.name.equalsIgnoringCase(name) } }

    /// Nil for a member that is no text, too.
    func text(_ name: String) -> String? { anyCase(name)?.value.string }

    /// The same object, where it has this member, with another value in it.
    func with(_ name: String, _ value: SpelledJSON) -> SpelledJSON {
        guard let members else { return self }
        return .object(members.map { $0.name == name ? Member(name: name, value: value) : $0 })
    }

    /// What people call the kind of value.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// As JSON text, without white space.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let spelling): spelling
        case .string(let text): JSONValue.string(text).text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0.name).text + ":" + $0.value.text }.joined(separator: ",")
                + "}"
        }
    }
}

/// Why bytes are no JSON.
package struct NoJSON: Error, Equatable {
    /// Such as `a string does not end at byte 17`.
    package let reason: String
}

/// Reads one value in time that grows with its length alone. Source: RFC 8259.
struct SpelledJSONReader {
    /// Levels of arrays and objects: browsers write the stack of calls that led to a request, one level for each.
    static let depthLimit = 200

    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func value(of bytes: [UInt8]) throws(NoJSON) -> SpelledJSON {
        var reader = SpelledJSONReader(bytes)
        // Some programs on Windows begin every file so.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        let value = try reader.value(depth: 0)
        guard reader.next == nil else { throw reader.fault("something follows the value") }
        return value
    }

    private var next: UInt8? {
        mutating get {
            while index < bytes.count {
                switch bytes[index] {
                case 0x20, 0x09, 0x0A, 0x0D: index += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    private mutating func value(depth: Int) throws(NoJSON) -> SpelledJSON {
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("it ends where a value is expected")
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(NoJSON) -> SpelledJSON {
        try enter(depth)
        var members: [SpelledJSON.Member] = []
        if takes("}") { return .object(members) }
        repeat {
            guard next == UInt8(ascii: "\"") else { throw fault("expected the name of a member") }
            let name = try string()
            guard takes(":") else { throw fault("expected a colon after the name of a member") }
            members.append(.init(name: name, value: try value(depth: depth)))
        } while takes(",")
        guard takes("}") else { throw fault("expected a comma or the end of an object") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(NoJSON) -> SpelledJSON {
        try enter(depth)
        var elements: [SpelledJSON] = []
        if takes("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth)) } while takes(",")
        guard takes("]") else { throw fault("expected a comma or the end of an array") }
        return .array(elements)
    }

    private mutating func enter(_ depth: Int) throws(NoJSON) {
        guard depth <= Self.depthLimit else { throw fault("more than \(Self.depthLimit) levels are nested") }
        index += 1
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func word(_ text: String, _ value: SpelledJSON) throws(NoJSON) -> SpelledJSON {
        guard bytes[index...].starts(with: text.utf8) else { throw fault("expected \(text)") }
        index += text.utf8.count
        return value
    }

    private mutating func number() throws(NoJSON) -> SpelledJSON {
        let start = index
        while index < bytes.count, Self.numberBytes.contains(bytes[index]) { index += 1 }
        guard Self.isNumber(bytes[start..<index]) else { throw fault("expected a value") }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    /// Source: RFC 8259 §6. By hand: a pattern takes ten times as long, and recordings are full of numbers.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        func takeDigits() -> Int {
            let digits = rest.prefix { 0x30...0x39 ~= $0 }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        let first = rest.first
        let whole = takeDigits()
        guard whole == 1 || whole > 1 && first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard takeDigits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static let numberBytes = Set("0123456789+-.eE".utf8)

    /// Where nothing is escaped, which is nearly everywhere, the text is read where it lies.
    private mutating func string() throws(NoJSON) -> String {
        let start = index
        index += 1
        var isEscaped = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
                index += 1
            }
            index += 1
        }
        guard index < bytes.count else { throw fault("a string does not end") }
        index += 1
        if !isEscaped {
            guard let text = String(validating: bytes[start + 1..<index - 1], as: UTF8.self) else {
                throw fault("a string is not UTF-8")
            }
            return text
        }
        do {
            return try JSONValue(parsing: Array(bytes[start..<index])).string ?? ""
        } catch let DecodingError.dataCorrupted(context) {
            throw fault("a string cannot be read (\(context.debugDescription))")
        } catch {
            throw fault("a string cannot be read")
        }
    }

    private func fault(_ reason: String) -> NoJSON { NoJSON(reason: "\(reason) at byte \(index)") }
}
