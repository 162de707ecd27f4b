import Essentials
import HTTP
import PlatformKit

/// The JSON object that a call brings, read strictly: a misspelt member is refused rather than ignored.
struct JSONBody {
    private let bytes: [UInt8]
    private let members: [JSONMembers.Member]

    /// - Parameter known: the members that the call takes.
    /// - Throws: ``ControlError``.
    init(_ request: Request, _ known: String...) throws {
        bytes = try Self.text(request)
        guard let members = JSONMembers(bytes)?.members else {
            throw ControlError.bodyMalformed(
                "The body must be a JSON object, but is \(Self.shown(bytes[...])).")
        }
        self.members = members
        var seen: Set<String> = []
        for member in members {
            guard known.contains(member.name) else {
                throw ControlError.memberUnknown(member.name, known: known)
            }
            guard seen.insert(member.name).inserted else {
                throw ControlError.bodyMalformed("The member “\(member.name)” is in the body twice.")
            }
        }
    }

    /// The body of a call that takes JSON, known to be UTF-8 and well formed.
    static func text(_ request: Request) throws -> [UInt8] {
        let type = request.headers["Content-Type"]
        let essence = type?.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
        guard let essence,
            String(decoding: essence, as: UTF8.self).equalsIgnoringCase("application/json")
        else {
            throw ControlError.notJSON(type)
        }
        // A decoder guesses UTF-16 from NUL bytes, which no JSON in UTF-8 has (RFC 8259 §8.1).
        guard String(validating: request.body, as: UTF8.self) != nil, !request.body.contains(0) else {
            throw ControlError.bodyMalformed("The body is not UTF-8 text.")
        }
        return request.body
    }

    /// Whether the member is there and has a value.
    func has(_ name: String) -> Bool { range(name).map { shown($0) != "null" } ?? false }

    func isNull(_ name: String) -> Bool { range(name).map { shown($0) == "null" } ?? false }

    /// - Parameter expected: what to say when the member is something else: `true or false`.
    /// - Returns: nil when the member is left out or null.
    /// - Throws: ``ControlError/parameter``.
    func value<Value: Decodable>(_ name: String, _: Value.Type, expected: String) throws -> Value? {
        guard has(name), let range = range(name) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes[range]))
        } catch {
            throw ControlError.parameter(name, expected: expected, given: shown(range))
        }
    }

    /// A time as RFC 3339 writes it.
    func time(_ name: String) throws -> Date? {
        let expected = "a time such as “2026-01-02T03:04:05Z” (RFC 3339)"
        guard let text = try value(name, String.self, expected: expected) else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw ControlError.parameter(name, expected: expected, given: "“\(text)”")
        }
        return time
    }

    /// The member's text in its place, everything around it blank, so that lines and columns are those of the body.
    func fragment(_ name: String) -> [UInt8]? {
        guard has(name), let range = range(name) else { return nil }
        return bytes.indices.map { range.contains($0) || bytes[$0] == 0x0A ? bytes[$0] : 0x20 }
    }

    private func range(_ name: String) -> Range<Int>? { members.first { $0.name == name }?.value }

    private func shown(_ range: Range<Int>) -> String { Self.shown(bytes[range]) }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.isEmpty ? "empty" : String(decoding: bytes, as: UTF8.self).shortened
    }
}
