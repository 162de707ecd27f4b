import Essentials
import HTTP
import PlatformKit

/// The JSON object that a back end sends. Members that nobody asks for are ignored, null is as good as nothing.
///
/// Each reader notes what is wrong, and ``check()`` refuses it all at once.
struct BackOfficeInput {
    enum API: Sendable { case cloud, management }

    let api: API
    let members: [String: JSONValue]
    private(set) var violations: [InputViolation] = []

    /// - Parameter api: the Cloud API sends an object, the management API one in `requestObject`. No body at all, and no or
    ///   null in an envelope without anything else, are an empty object; what follows the first complete value is ignored, as the real parser does.
    init(_ request: Request, _ api: API = .cloud) throws {
        self.api = api
        let body = request.body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) ? [] : request.body
        do {
            let value = body.isEmpty ? [:] : try JSONValue(parsing: Array(JSONPrefix.object(in: body)))
            let object = api == .cloud ? value : Self.requestObject(of: value)
            guard let object = object.object else {
                throw Self.refusal(
                    api, api == .cloud ? "The body is no JSON object." : "The body has no requestObject.")
            }
            members = object
        } catch let error as DecodingError {
            throw Self.refusal(api, "The body is not JSON: \(error.sentence).")
        }
    }

    /// Clients that have nothing to ask send `{}`, or null in the envelope.
    private static func requestObject(of value: JSONValue) -> JSONValue {
        guard let members = value.object else { return .null }
        let object = members["requestObject"]
        return members.isEmpty || object?.isNull == true ? [:] : object ?? .null
    }

    /// What came under a name; nil for null.
    subscript(_ name: String) -> JSONValue? {
        members[name].flatMap { $0.isNull ? nil : $0 }
    }

    mutating func refuse(_ name: String, _ hint: String) {
        violations.append(InputViolation(field: name, value: self[name], hint: hint))
    }

    /// A text that must be there; empty, and noted, when it is not.
    mutating func text(_ name: String, _ lengths: ClosedRange<Int> = 1...255) -> String {
        if let text = self[name]?.string, lengths.contains(text.count) { return text }
        refuse(name, "a text of \(lengths.lowerBound) to \(lengths.upperBound) characters")
        return ""
    }

    mutating func optionalText(_ name: String, _ lengths: ClosedRange<Int> = 0...255) -> String? {
        self[name] == nil ? nil : text(name, lengths)
    }

    mutating func optionalTexts(_ name: String) -> [String]? {
        guard let value = self[name] else { return nil }
        guard let texts = value.strings, texts.count <= 100, texts.allSatisfy({ 1...255 ~= $0.count }) else {
            refuse(name, "a list of at most 100 texts of 1 to 255 characters")
            return nil
        }
        return texts
    }

    mutating func optionalBoolean(_ name: String) -> Bool? {
        guard let value = self[name] else { return nil }
        if value.boolean == nil { refuse(name, "true or false") }
        return value.boolean
    }

    mutating func optionalInteger(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = self[name] else { return nil }
        if let number = value.integer, range.contains(number) { return number }
        refuse(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Milliseconds since 1970 UTC, or a text as in RFC 3339 where the API takes one.
    mutating func optionalDate(_ name: String) -> Date? {
        guard let value = self[name] else { return nil }
        // To the end of the year 9999.
        if let number = value.integer, 0...253_402_300_799_999 ~= number {
            return Date(timeIntervalSince1970: Double(number) / 1000)
        }
        if api == .management, let date = value.string.flatMap(Timestamp.parseLeniently) {
            return date
        }
        refuse(name, "a time in milliseconds since 1970")
        return nil
    }

    mutating func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _: Choice.Type
    ) -> Choice? {
        guard let value = self[name] else { return nil }
        if let choice = value.string.flatMap(Choice.init(rawValue:)) { return choice }
        refuse(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        return nil
    }

    mutating func optionalObject(_ name: String) -> [String: JSONValue]? {
        guard let value = self[name] else { return nil }
        if value.object == nil { refuse(name, "an object") }
        return value.object
    }

    /// An object whose members are texts; numbers and truth values count as written, null as nothing.
    mutating func optionalTextMap(_ name: String) -> [String: String]? {
        guard let object = optionalObject(name) else { return nil }
        var texts: [String: String] = [:]
        for (key, value) in object where !value.isNull {
            switch value {
            case .object, .array:
                refuse(name, "an object whose members are texts")
                return nil
            default: texts[key] = value.string ?? value.text
            }
        }
        return texts
    }

    /// - Throws: `ERROR_REQUEST` or `ERR0024` with everything that was noted.
    func check() throws {
        guard !violations.isEmpty else { return }
        let words = "The request is wrong in \(violations.map(\.sentence).joined(separator: "; "))."
        if api == .management { throw ManagementError(.invalidRequest, words) }
        var error = CloudError(.request, "The request is not valid.", words)
        error.violations = violations
        throw error
    }

    private static func refusal(_ api: API, _ reason: String) -> any PowerAuthRefusal {
        switch api {
        case .cloud: CloudError(.request, reason)
        case .management: ManagementError(.invalidRequest, reason)
        }
    }
}
