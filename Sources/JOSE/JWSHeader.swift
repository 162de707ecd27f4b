/// The protected header of a compact JWS. Source: RFC 7515 §4.
package struct JWSHeader: Sendable, Equatable {
    package var algorithm: JWSAlgorithm
    /// `kid`
    package var keyID: String?
    /// `typ`
    package var type: String?

    package init(_ algorithm: JWSAlgorithm, keyID: String? = nil, type: String? = nil) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.type = type
    }

    /// `{"alg":"…","kid":"…","typ":"…"}`, written by hand: it stands before every token.
    var json: String {
        var text = "{\"alg\":\"\(algorithm.name)\""
        if let keyID { text += ",\"kid\":" + quoted(keyID) }
        if let type { text += ",\"typ\":" + quoted(type) }
        return text + "}"
    }
}

extension JWSHeader {
    private struct Wire: Decodable {
        let alg: String
        let kid: String?
        let typ: String?
        let crit: [String]?
    }

    init(json: [UInt8]) throws {
        let wire = try decodeJSON(Wire.self, json, part: "header")
        if let names = wire.crit { throw JOSEError.extensionsUnsupported(names) }
        guard let algorithm = JWSAlgorithm(name: wire.alg) else {
            throw JOSEError.algorithmUnsupported(wire.alg)
        }
        self.init(algorithm, keyID: wire.kid, type: wire.typ)
    }
}

/// The text as a JSON string. Source: RFC 8259 §7.
private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\0"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
