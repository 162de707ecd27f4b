import Crypto
import Essentials

/// The signed answer of the SafetyNet service: a JWS in its compact form with the certificates in its header.
/// Source: RFC 7515 §3.1 and §4.1.6.
struct SafetyNetToken {
    let payload: JSONValue
    let path: [Certificate]
    private let algorithm: COSEAlgorithm
    private let signed: [UInt8]
    private let signature: [UInt8]

    init(_ bytes: [UInt8], _ reader: StatementReader) throws(WebAuthnRefusal) {
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let payload = Self.json(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Self.fault(reader, "a JWS of header, payload and signature", "\(parts.count) parts") }
        switch header["alg"]?.string {
        case "RS256": algorithm = .rs256
        case "ES256": algorithm = .es256
        default:
            throw reader.refusal(
                .attestationAlgorithm, step: 2, expected: "RS256 or ES256",
                got: header["alg"]?.text.shortened ?? "none")
        }
        path = try Self.path(header, reader)
        self.payload = payload
        self.signature = signature
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    func checkSignature(_ reader: StatementReader) throws(WebAuthnRefusal) {
        // RFC 7518 §3.4: r and s one after the other.
        let encoded = algorithm == .es256 ? (try? ECSignature.der(fromRaw: signature, .p256)) : signature
        try reader.check(encoded ?? [], of: signed, by: path[0], algorithm, step: 4)
    }

    private static func json(_ part: Substring) -> JSONValue? {
        Base64URL.decode(part).flatMap { try? JSONValue(parsing: $0) }
    }

    private static func path(_ header: JSONValue, _ reader: StatementReader) throws(WebAuthnRefusal)
        -> [Certificate]
    {
        guard let texts = header["x5c"]?.strings, 1...WebAuthnLimits.certificates ~= texts.count else {
            throw fault(reader, "x5c with 1 to \(WebAuthnLimits.certificates) certificates", "none or more")
        }
        return try texts.map { (text) throws(WebAuthnRefusal) in
            guard let der = Base64.decode(text), let certificate = try? Certificate(der: der) else {
                throw fault(reader, "certificates in base64", text.shortened)
            }
            return certificate
        }
    }

    private static func fault(_ reader: StatementReader, _ expected: String, _ got: String) -> WebAuthnRefusal
    {
        reader.refusal(.attestationStatement, step: 2, expected: expected, got: got)
    }
}
