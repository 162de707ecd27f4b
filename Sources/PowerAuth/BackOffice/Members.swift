import Essentials
import HTTP
import PlatformKit

// What back ends send. Members that nobody asks for are ignored, null is as good as nothing; everything that is wrong is refused at once.
extension Members {
    enum API: Sendable { case cloud, management }

    /// - Parameter api: the Cloud API sends an object, the management API one in `requestObject`. No body at all, and no or
    ///   null in an envelope without anything else, are an empty object; what follows the first complete value is ignored, as the real parser does.
    convenience init(_ request: Request, _ api: API = .cloud) throws {
        self.init(try api.object(of: request), .collecting) { faults in
            let words = "The request is wrong in \(faults.map(\.clause).joined(separator: "; "))."
            if api == .management { return ManagementRefusal(.invalidRequest, words) }
            var error = CloudRefusal(.request, "The request is not valid.", words)
            error.violations = faults
            return error
        }
    }

    /// Milliseconds since 1970 UTC.
    func optionalDate(_ name: String) throws -> Date? {
        try read(name, Self.dateWords, Self.date)
    }

    /// The same, or a text as in RFC 3339.
    func optionalTime(_ name: String) throws -> Date? {
        try read(name, Self.dateWords) { Self.date($0) ?? $0.string.flatMap(Timestamp.parseLeniently) }
    }

    private static let dateWords = "a time in milliseconds since 1970"

    private static func date(_ value: JSONValue) -> Date? {
        // To the end of the year 9999.
        guard let number = value.integer, 0...253_402_300_799_999 ~= number else { return nil }
        return Date(timeIntervalSince1970: Double(number) / 1000)
    }

    /// An object whose members are texts; numbers and truth values count as written, null as nothing.
    func optionalTextMap(_ name: String) throws -> [String: String]? {
        guard let object = try optionalObject(name) else { return nil }
        var texts: [String: String] = [:]
        for (key, value) in object where !value.isNull {
            switch value {
            case .object, .array:
                try refuse(name, "an object whose members are texts")
                return nil
            default: texts[key] = value.string ?? value.text
            }
        }
        return texts
    }
}

extension Members.API {
    /// The object as it came.
    ///
    /// - Throws: `ERROR_REQUEST` or `ERR0024` for a body that has none.
    func object(of request: Request) throws -> [String: JSONValue] {
        let body = request.body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) ? [] : request.body
        do {
            let value = body.isEmpty ? [:] : try JSONValue(parsing: Array(JSONPrefix.object(in: body)))
            let object = self == .cloud ? value : Self.requestObject(of: value)
            if let object = object.object { return object }
        } catch let error as DecodingError {
            throw refusal("The body is not JSON: \(error.sentence).")
        }
        throw refusal(self == .cloud ? "The body is not a JSON object." : "The body has no requestObject.")
    }

    /// Clients that have nothing to ask send `{}`, or null in the envelope.
    private static func requestObject(of value: JSONValue) -> JSONValue {
        guard let members = value.object else { return .null }
        let object = members["requestObject"]
        return members.isEmpty || object?.isNull == true ? [:] : object ?? .null
    }

    private func refusal(_ reason: String) -> any PowerAuthRefusal {
        switch self {
        case .cloud: CloudRefusal(.request, reason)
        case .management: ManagementRefusal(.invalidRequest, reason)
        }
    }
}

extension Members.Fault {
    /// As the Cloud API lists it.
    var violation: JSONValue {
        var object: [String: JSONValue] = ["fieldName": .string(name), "hint": .string(expected)]
        if let value { object["invalidValue"] = .string(value.string ?? value.text) }
        return .object(object)
    }

    fileprivate var clause: String {
        "\(name): expected \(expected), found \(value.map { String($0.text.prefix(80)) } ?? "nothing")"
    }
}

/// The first complete object of a body: a published client sends one closing brace too many, and the real parser does not look
/// behind the end.
private enum JSONPrefix {
    /// Everything when no object begins, or none ends.
    static func object(in bytes: [UInt8]) -> ArraySlice<UInt8> {
        var (depth, isInText, isEscaped) = (0, false, false)
        for (index, byte) in bytes.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return bytes[...index] }
            default: break
            }
        }
        return bytes[...]
    }
}
