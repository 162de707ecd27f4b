import Essentials
import HTTP

/// The members of a JSON object that a client sent, whatever it says of the content type. Absent, null and the empty text are the
/// same; members that nobody asks for are ignored.
struct Members: Sendable {
    let values: [String: JSONValue]

    /// - Parameter isOptional: whether an empty body counts as an object without members.
    /// - Throws: ``RequestRefusal``.
    init(_ request: Request, isOptional: Bool = false) throws {
        if isOptional, request.body.isEmpty {
            values = [:]
            return
        }
        do {
            guard let object = try JSONValue(parsing: request.body).object else {
                throw RequestRefusal.malformed("Expected a JSON object as the body, found another value.")
            }
            values = object
        } catch let error as DecodingError {
            throw RequestRefusal.malformed("The body is not the expected JSON: \(error.sentence).")
        }
    }

    init(_ values: [String: JSONValue]) { self.values = values }

    /// A text that is not empty.
    func text(_ name: String) throws(RequestRefusal) -> String {
        guard let text = try optionalText(name) else { throw .memberMissing(name) }
        return text
    }

    func optionalText(_ name: String) throws(RequestRefusal) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else {
            throw .memberMalformed(name, "expected a text, found \(value.text.prefix(40)).")
        }
        guard text.utf8.count <= Self.textLimit else {
            throw .memberMalformed(
                name, "expected \(Self.textLimit) bytes at most, found \(text.utf8.count).")
        }
        return text.isEmpty ? nil : text
    }

    /// Bytes; the longest thing that clients send is a signature in Base64.
    static let textLimit = 16_384

    /// True and 1 are true, false, 0 and nothing are false.
    func flag(_ name: String) throws(RequestRefusal) -> Bool {
        guard let value = present(name) else { return false }
        if let flag = value.boolean { return flag }
        switch value.integer {
        case 0: return false
        case 1: return true
        default: throw .memberMalformed(name, "expected true or false, found \(value.text.prefix(40)).")
        }
    }

    func optionalInteger(_ name: String) throws(RequestRefusal) -> Int? {
        guard let value = present(name) else { return nil }
        guard let number = value.integer ?? value.string.flatMap({ Int($0) }) else {
            throw .memberMalformed(name, "expected a whole number, found \(value.text.prefix(40)).")
        }
        return number
    }

    /// An array of texts.
    func texts(_ name: String) throws(RequestRefusal) -> [String] {
        guard let value = present(name) else { return [] }
        if let text = value.string { return text.isEmpty ? [] : [text] }
        guard let texts = value.strings else {
            throw .memberMalformed(name, "expected an array of texts, found \(value.text.prefix(40)).")
        }
        return texts
    }

    func optionalObject(_ name: String) throws(RequestRefusal) -> Members? {
        guard let value = present(name) else { return nil }
        guard let object = value.object else {
            throw .memberMalformed(name, "expected an object, found \(value.text.prefix(40)).")
        }
        return Members(object)
    }

    /// The value under the name, or under another spelling of it: some libraries write `mpinid`.
    private func present(_ name: String) -> JSONValue? {
        let value =
            values[name] ?? values.first { $0.key.lowercased() == name.lowercased() }?.value
        return value.flatMap { $0.isNull ? nil : $0 }
    }
}
