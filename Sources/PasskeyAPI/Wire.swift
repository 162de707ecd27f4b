import Essentials
import HTTP
import PlatformKit

extension Response {
    /// JSON with a line feed at its end. Source: the library Echo 4.11, with which the original answers.
    static func passkeyAPI(bytes: [UInt8], status: Status = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json; charset=UTF-8"],
            body: bytes + [UInt8(ascii: "\n")])
    }

    static func passkeyAPI(_ value: JSONValue, status: Status = .ok) -> Response {
        passkeyAPI(bytes: value.bytes, status: status)
    }

    static func passkeyAPI(_ output: some Encodable) throws -> Response {
        passkeyAPI(bytes: [UInt8](try encoder.encode(output)))
    }

    // Made once; each call works on a state of its own.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date, .trimmed))
        }
        return encoder
    }()
}

/// The members of a body, checked as the original checks them.
struct PostedMembers {
    private let values: [String: JSONValue]
    private(set) var faults: [String] = []

    /// - Throws: ``PasskeyAPIRefusal``.
    init(_ request: Request) throws {
        // Without a body the original reads an empty object.
        guard !request.body.isEmpty else {
            values = [:]
            return
        }
        let type = request.headers["Content-Type"]
        guard type?.asciiLowercased.hasPrefix("application/json") == true else {
            throw PasskeyAPIRefusal.mediaTypeUnsupported(type)
        }
        let body: JSONValue
        do {
            body = try JSONValue(parsing: request.body)
        } catch let error as DecodingError {
            throw PasskeyAPIRefusal.bodyUnreadable(error.sentence)
        }
        guard let object = body.object else { throw PasskeyAPIRefusal.bodyUnreadable("it is no object") }
        values = object
    }

    subscript(_ name: String) -> JSONValue? {
        guard let value = values[name], !value.isNull else { return nil }
        return value
    }

    /// A text; nil when it is missing.
    ///
    /// - Throws: ``PasskeyAPIRefusal`` for another value.
    func text(_ name: String) throws -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else {
            throw PasskeyAPIRefusal.bodyUnreadable(
                "“\(name)” should be a text, found \(value.text.prefix(40))")
        }
        return text
    }

    /// A text that is not empty.
    mutating func required(_ name: String, most: Int? = nil) throws -> String {
        let text = try text(name) ?? ""
        if text.isEmpty { faults.append("\(name) is a required field") }
        limit(text, name, most)
        return text
    }

    mutating func optional(_ name: String, most: Int? = nil) throws -> String? {
        let text = try text(name)
        limit(text ?? "", name, most)
        return text
    }

    private mutating func limit(_ text: String, _ name: String, _ most: Int?) {
        guard let most, text.unicodeScalars.count > most else { return }
        faults.append("\(name) cannot have more than \(most) entries")
    }

    mutating func refuse(_ fault: String) { faults.append(fault) }

    /// - Throws: everything that was found.
    func check() throws {
        if !faults.isEmpty { throw PasskeyAPIRefusal.invalid(faults) }
    }
}
