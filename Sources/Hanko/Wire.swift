import Essentials
import HTTP

extension Response {
    /// JSON as Hanko writes it: members by name, times by ``WireTime``, a line feed at the end.
    static func hanko(_ output: some Encodable, status: Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(date))
        }
        return Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: [UInt8](try encoder.encode(output)) + [UInt8(ascii: "\n")])
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
    /// - Throws: ``HankoError/mediaTypeUnsupported(_:)``, ``HankoError/bodyMalformed(_:)``.
    func input<Input: Decodable>(_: Input.Type, hint: String? = nil) throws -> Input {
        if !body.isEmpty { try requireJSON() }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in MemberName(path.last?.stringValue ?? "") }
        do {
            return try decoder.decode(Input.self, from: Data(body.isEmpty ? Array("{}".utf8) : body))
        } catch let error as DecodingError {
            var reason = "The body is not the expected JSON: \(error.sentence)."
            if case .typeMismatch = error, let hint { reason += " \(hint)" }
            throw HankoError.bodyMalformed(reason)
        }
    }

    private func requireJSON() throws {
        let type = headers["Content-Type"] ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }
        guard String(media).equalsIgnoringCase("application/json") else {
            throw HankoError.mediaTypeUnsupported(type)
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
