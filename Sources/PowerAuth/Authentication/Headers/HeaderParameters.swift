import HTTP
import PlatformKit

/// The parameters of a PowerAuth header, `PowerAuth key="value", key="value"`: in any order, with commas, blanks or nothing
/// between them, as the SDKs of different systems write them.
struct HeaderParameters {
    let header: String
    private var values: [String: String] = [:]

    init(_ text: String, of header: String) throws {
        self.header = header
        guard text.hasPrefix("PowerAuth ") else {
            throw HeaderRefusal(header: header, reason: "it must begin with “PowerAuth” and a blank")
        }
        var rest = text.utf8.dropFirst(10)
        while let byte = rest.first {
            if byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") {
                rest.removeFirst()
            } else {
                try readPair(&rest)
            }
        }
    }

    private mutating func readPair(_ rest: inout Substring.UTF8View) throws {
        guard let sign = rest.firstIndex(of: UInt8(ascii: "=")), sign > rest.startIndex,
            rest[rest.index(after: sign)...].first == UInt8(ascii: "\""),
            let end = rest[rest.index(sign, offsetBy: 2)...].firstIndex(of: UInt8(ascii: "\""))
        else { throw HeaderRefusal(header: header, reason: "expected pairs such as key=\"value\"") }
        let name = String(Substring(rest[..<sign]))
        guard values[name] == nil else {
            throw HeaderRefusal(header: header, reason: "\(name.prefix(40)) appears in it twice")
        }
        values[name] = String(Substring(rest[rest.index(sign, offsetBy: 2)..<end]))
        rest = rest[rest.index(after: end)...]
    }

    func optional(_ name: String) -> String? { values[name] }

    func text(_ name: String) throws -> String {
        guard let value = values[name] else {
            throw HeaderRefusal(header: header, reason: "the parameter \(name) is missing")
        }
        return value
    }

    /// - Parameter expected: what a right value looks like, for the developer.
    func value<Value>(_ name: String, expected: String, _ read: (String) -> Value?) throws -> Value {
        let text = try text(name)
        guard let value = read(text) else {
            throw HeaderRefusal(
                header: header, reason: "\(name) must be \(expected), found “\(text.prefix(80))”")
        }
        return value
    }

    func version(_ name: String) throws -> RequestVersion {
        try value(name, expected: RequestVersion.expectation, RequestVersion.init(rawValue:))
    }

    func uuid(_ name: String) throws -> String {
        try value(name, expected: "a UUID") { isUUID($0) ? $0 : nil }
    }

    /// The text of 16 bytes in Base64.
    func base64(_ name: String) throws -> String {
        try value(name, expected: "16 bytes in Base64") { text in
            (try? Nonce(base64: text)).map { _ in text }
        }
    }
}

/// Whether a text has the form of RFC 9562 §4, in either case.
func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
        && text.utf8.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default:
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
            }
        }
}

/// A header that cannot be read: which parameter, what was expected, what came.
struct HeaderRefusal: Refusal, Equatable {
    let header: String
    let reason: String

    var explanation: String { "The header \(header) cannot be used: \(reason)." }
}

/// A header by which a device or its app proves who it is.
protocol ProvingHeader: Sendable {
    static var name: String { get }
    /// - Throws: ``HeaderRefusal``.
    init(_ text: String) throws
}
