import Essentials
import HTTP
import PlatformKit

/// The query of a call, read strictly: a misspelt parameter is refused rather than ignored.
struct Parameters {
    /// Bytes that a value may have. What is looked for is compared with each of many thousands of things.
    static let longestValue = 1024
    /// Words that are searched for, which ``TextSearch`` bounds, and parts of what clients send, which may be as long as that.
    private static let unbounded: Set = ["q", "subject", "path"]

    private let form: Form

    /// - Parameter known: the names that the call takes.
    /// - Throws: ``ControlError``.
    init(_ request: Request, _ known: String...) throws {
        form = request.queryItems
        var seen: Set<String> = []
        for (name, value) in form.pairs {
            guard known.contains(name) else { throw ControlError.parameterUnknown(name, known: known) }
            guard seen.insert(name).inserted else { throw ControlError.parameterRepeated(name) }
            guard !value.isEmpty else {
                throw ControlError.parameter(name, expected: "left out, or have a value", given: "empty")
            }
            guard value.utf8.count <= Self.longestValue || Self.unbounded.contains(name) else {
                throw ControlError.parameter(
                    name, expected: "at most \(Self.longestValue) bytes long",
                    given: "\(value.utf8.count) bytes long")
            }
        }
    }

    func text(_ name: String) -> String? { form[name] }

    /// Words to look for.
    func search(_ name: String) throws -> TextSearch? { try form.search(name) }

    /// `limit`: how many to give at most.
    func limit() throws -> Int { try whole("limit", 1...1000) ?? 200 }

    /// `after`: the id after which to begin.
    func after() throws -> Int? { try whole("after", 0...Int.max) }

    /// `since`: the id of an entry of the journal after which something happened.
    func since() throws -> Int? { try whole("since", 0...Int.max) }

    /// `before`: the id before which to end.
    func before() throws -> Int? { try whole("before", 0...Int.max) }

    /// `wait`: seconds to wait for what is not there yet.
    func wait() throws -> Double {
        guard let text = form["wait"] else { return 0 }
        guard JSONNumber.isWellFormed(text), let seconds = Double(text), 0...60 ~= seconds
        else {
            throw ControlError.parameter(
                "wait", expected: "a number of seconds from 0 to 60", given: "“\(text)”")
        }
        return seconds
    }

    /// `true` or `false`; nil when it is left out.
    func flag(_ name: String) throws -> Bool? {
        guard let text = form[name] else { return nil }
        guard let flag = Bool(text) else {
            throw ControlError.parameter(name, expected: "true or false", given: "“\(text)”")
        }
        return flag
    }

    /// `explain`: `1` or `true`.
    func explains() throws -> Bool {
        if form["explain"] == "1" { return true }
        return try flag("explain") ?? false
    }

    private func whole(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = form[name] else { return nil }
        guard let number = Int(digits: text), range.contains(number) else {
            let bounds = range.upperBound == Int.max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
            throw ControlError.parameter(name, expected: "a whole number\(bounds)", given: "“\(text)”")
        }
        return number
    }
}

extension Form {
    /// Words that a parameter asks to look for.
    ///
    /// - Parameter isTyped: into a field of a page, with white space around them that is not meant.
    /// - Returns: nil when there are none.
    func search(_ name: String, isTyped: Bool = false) throws -> TextSearch? {
        guard let given = self[name] else { return nil }
        do {
            let search = try TextSearch(given)
            guard isTyped else { return search }
            let words = given.trimmed
            return try words.isEmpty ? nil : TextSearch(words)
        } catch {
            throw ControlError.parameter(
                name, expected: TextSearch.TooLong.expected, given: "one of \(error.count) bytes")
        }
    }
}

extension Int {
    /// 1 to 18 decimal digits; nil for anything else.
    init?(digits text: String) {
        guard 1...18 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(text)
    }
}

extension Request {
    /// The id of a message in the path.
    func messageID() throws -> Int {
        let text = parameter("id")
        guard let id = Int(digits: text) else {
            throw ControlError.parameter(
                "id", expected: "the whole number of a message", given: "“\(text)”")
        }
        return id
    }
}
