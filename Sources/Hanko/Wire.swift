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
    static func hanko(json: JSONValue) -> Response { hanko(bytes: json.bytes, status: .ok) }

    private static func hanko(bytes: [UInt8], status: Status) -> Response {
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
    /// The body as a shape whose members are called in lower case; the client may write them in any.
    ///
    /// An empty body is an empty object, whatever its type; unknown members are ignored.
    ///
    /// - Parameter hint: a sentence to say beside a member of the wrong type.
    /// - Throws: ``HankoRefusal/mediaTypeUnsupported(_:)``, ``HankoRefusal/bodyMalformed(_:)``.
    func input<Input: Decodable>(_: Input.Type, hint: String? = nil) throws -> Input {
        if !body.isEmpty { try requireJSON() }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in MemberName(path.last?.stringValue ?? "") }
        do {
            return try decoder.decode(Input.self, from: Data(body.isEmpty ? Array("{}".utf8) : body))
        } catch let error as DecodingError {
            var reason = "The body is not the expected JSON: \(error.sentence)."
            if case .typeMismatch = error, let hint { reason += " \(hint)" }
            throw HankoRefusal.bodyMalformed(reason)
        }
    }

    /// The body as any JSON, its members as the client wrote them; an empty body is an empty object.
    ///
    /// - Throws: as ``input(_:hint:)``.
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
        let media = type.prefix { $0 != ";" && $0 != " " }
        guard String(media).equalsIgnoringCase("application/json") else {
            throw HankoRefusal.mediaTypeUnsupported(type)
        }
    }
}

/// The name of a member, in lower case.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name.lowercased() }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
