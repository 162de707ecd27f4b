import Essentials
import HTTP
import PlatformKit

/// JSON as Hanko writes it: members by name, times by ``WireTime``.
enum HankoJSON {
    static func bytes(_ output: some Encodable) throws -> [UInt8] { [UInt8](try encoder.encode(output)) }

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

extension Response {
    /// ``HankoJSON`` with a line feed at the end.
    static func hanko(_ output: some Encodable, status: Status = .ok) throws -> Response {
        hanko(bytes: try HankoJSON.bytes(output), status: status)
    }

    /// The same for a small answer that is given all the time: to go through an encoder costs more than all the rest of it.
    static func hanko(json: JSONValue, status: Status = .ok) -> Response {
        hanko(bytes: json.bytes, status: status)
    }

    /// The same of JSON text.
    static func hanko(bytes: [UInt8], status: Status) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: bytes + [UInt8(ascii: "\n")])
    }
}

extension JSONValue {
    /// ``HankoJSON`` as a part of something larger. What clients and fixtures brought may lie in it, as deep as they may bring it,
    /// so more levels are read than from a client.
    static func wire(_ output: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(HankoJSON.bytes(output)))
    }
}

extension Response {
    /// The literal `null`, which the password endpoints answer.
    static func hankoNull(status: Status = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: Array("null\n".utf8))
    }
}

extension Request {
    /// The members of the body, whose names the client may write in any case. An empty body is an empty object, whatever its type.
    ///
    /// - Parameter hint: a sentence to say beside a member of the wrong type.
    /// - Throws: ``HankoRefusal/mediaTypeUnsupported(_:)``; readers throw ``HankoRefusal/bodyMalformed(_:)``.
    func members(hint: String? = nil) throws -> Members {
        if !body.isEmpty { try requireJSON() }
        return try Members(parsing: body, .ofHanko, else: Members.refusing(hint))
    }

    /// The body as any JSON, its members as the client wrote them; an empty body is an empty object.
    ///
    /// - Throws: as ``members(hint:)``.
    func anyInput() throws -> JSONValue {
        guard !body.isEmpty else { return [:] }
        try requireJSON()
        do {
            return try JSONValue(parsing: body)
        } catch let error as DecodingError {
            throw HankoRefusal.bodyMalformed("The body is not the expected JSON: \(error.sentence).")
        }
    }

    /// - Throws: ``HankoRefusal/mediaTypeUnsupported(_:)``.
    func requireJSON() throws {
        let type = headers["Content-Type"] ?? ""
        let media = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard String(Substring(media)).equalsIgnoringCase("application/json") else {
            throw HankoRefusal.mediaTypeUnsupported(type)
        }
    }
}

extension Members.Manner {
    /// Put together once: every request with a body is read in it.
    static let ofHanko: Self = [.bodyIsOptional, .anyCase]
}

extension Members {
    /// A text of any length.
    func optionalText(_ name: String) throws -> String? { try optionalText(name, 0...Int.max) }

    /// A list of objects.
    func optionalMembers(_ name: String) throws -> [Members]? {
        let objects = try read(name, "an array of objects") { value -> [[String: JSONValue]]? in
            guard let entries = value.array else { return nil }
            let objects = entries.compactMap(\.object)
            return objects.count == entries.count ? objects : nil
        }
        return objects?.map { Members($0, [.anyCase], else: Self.refusing()) }
    }

    fileprivate static func refusing(_ hint: String? = nil) -> Refusing {
        { faults in
            let fault = faults[0]
            if fault.name.isEmpty { return HankoRefusal.bodyMalformed(fault.sentence) }
            let sentences = ["The body is not the expected JSON.", fault.sentence, hint ?? ""]
            return HankoRefusal.bodyMalformed(sentences.filter { !$0.isEmpty }.joined(separator: " "))
        }
    }
}
