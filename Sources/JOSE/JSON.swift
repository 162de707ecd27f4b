import Essentials

/// Reads JSON, naming the part of the token and the field in the error.
func decodeJSON<Value: Decodable>(_: Value.Type, _ bytes: [UInt8], part: String) throws -> Value {
    do {
        try JSONText.check(bytes)
        return try decoder.decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
        throw JOSEError.malformed(part: part, reason: reason(error))
    }
}

/// Writes JSON with its members in the order of their names, so that the same claims are the same bytes.
func encodeJSON(_ value: some Encodable) throws -> [UInt8] {
    [UInt8](try encoder.encode(value))
}

// Made once; each call works on a state of its own.
private let decoder = JSONDecoder()

private let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // RFC 7519 §2: a NumericDate counts seconds; ours are whole.
    encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.unixSeconds)
    }
    return encoder
}()

private func reason(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): return "“\(key.stringValue)” is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        if path.isEmpty { return "not the JSON object it should be" }
        let said = context.debugDescription
        return "“\(path)”: \(said.hasSuffix(".") ? String(said.dropLast()) : said)"
    @unknown default: return "not the JSON object it should be"
    }
}
