import Crypto
import Testing

@testable import PowerAuth

@Suite struct HeaderTests {
    private static let id = "0b0b0b0b-1111-4222-8333-444444444444"
    private static let key = "QUFBQUFBQUFBQUFBQUFBQQ=="
    private static let pairs = [
        ("pa_version", "3.1"), ("pa_activation_id", id), ("pa_application_key", key), ("pa_nonce", key),
        ("pa_signature_type", "POSSESSION_Knowledge"),
        ("pa_signature", "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="),
    ]

    private static func text(_ pairs: [(String, String)], _ separator: String = ", ") -> String {
        "PowerAuth " + pairs.map { "\($0)=\"\($1)\"" }.joined(separator: separator)
    }

    @Test(arguments: [", ", ",", " ", "   ", " , ", "\t", ""])
    func `pairs come in any order, parted by anything`(_ separator: String) throws {
        for pairs in [Self.pairs, Self.pairs.reversed()] {
            let header = try AuthorizationHeader(Self.text(pairs, separator))
            #expect(header.version == .three(.v31) && header.activationID == Self.id)
            #expect(header.type == .possessionKnowledge && header.nonce == Self.key)
        }
    }

    // Source: documentation of Java's Base64.Decoder; the vendor's article prints such a code.
    @Test func `Base64 may have any unused bits, and no padding at all`() throws {
        let code = "QUFBQUFBQUFBQUFBQUFBQR=="
        for text in [code, "QUFBQUFBQUFBQUFBQUFBQQ"] {
            let pairs = Self.pairs.map { $0.0 == "pa_nonce" ? ($0.0, text) : $0 }
            #expect(try AuthorizationHeader(Self.text(pairs)).nonce == text)
        }
        let pairs = Self.pairs.map { pair in
            switch pair.0 {
            case "pa_signature": (pair.0, code)
            case "pa_signature_type": (pair.0, "possession")
            default: pair
            }
        }
        #expect(try AuthorizationHeader(Self.text(pairs)).signature == code)
        #expect(WireBase64.decode("QR==") == [0x41] && WireBase64.decode("QUF=") == [0x41, 0x41])
        for text in ["Q", "QQ=", "QQ===", "QQ-_", "Q\u{0}==", "====", "QQ==QQ=="] {
            #expect(WireBase64.decode(text) == nil, "\(text)")
        }
    }

    @Test func `each parameter is asked for`() throws {
        for index in Self.pairs.indices {
            var pairs = Self.pairs
            let name = pairs.remove(at: index).0
            #expect(
                throws: HeaderRefusal(
                    header: AuthorizationHeader.name, reason: "the parameter \(name) is missing")
            ) {
                try AuthorizationHeader(Self.text(pairs))
            }
        }
    }

    @Test func `a wrong parameter is named with what it should be`() throws {
        let cases = [
            ("pa_version", "2.1", "pa_version must be one of 3.0, 3.1, 3.2, 3.3, 4.0, found “2.1”"),
            ("pa_activation_id", "x", "pa_activation_id must be a UUID, found “x”"),
            ("pa_application_key", "QUE=", "pa_application_key must be 16 bytes in Base64, found “QUE=”"),
            ("pa_nonce", "", "pa_nonce must be 16 bytes in Base64, found “”"),
            (
                "pa_signature_type", "pin",
                "pa_signature_type must be factors such as possession_knowledge, found “pin”"
            ),
            (
                "pa_signature", "12345678",
                "pa_signature must be Base64 of 16, 32 or 48 bytes, found “12345678”"
            ),
        ]
        for (name, value, reason) in cases {
            let pairs = Self.pairs.map { $0.0 == name ? (name, value) : $0 }
            #expect(throws: HeaderRefusal(header: AuthorizationHeader.name, reason: reason)) {
                try AuthorizationHeader(Self.text(pairs))
            }
        }
        let old = Self.pairs.map { $0.0 == "pa_version" ? ("pa_version", "3.0") : $0 }
        #expect(throws: HeaderRefusal.self) { try AuthorizationHeader(Self.text(old)) }
        let decimal = old.map { $0.0 == "pa_signature" ? ("pa_signature", "12345678-12345678") : $0 }
        #expect(try AuthorizationHeader(Self.text(decimal)).signature == "12345678-12345678")
    }

    @Test(arguments: [
        "", "PowerAuth", "Basic x", "PowerAuth x", "PowerAuth x=", "PowerAuth x=\"", "PowerAuth =\"a\"",
        "PowerAuth a=\"1\" a=\"1\"", "PowerAuth a=1", "PowerAuth \"=\"", "powerauth a=\"1\"",
    ])
    func `what is no header is refused`(_ text: String) {
        #expect(throws: HeaderRefusal.self) { try AuthorizationHeader(text) }
        #expect(throws: HeaderRefusal.self) { try TokenHeader(text) }
        #expect(throws: HeaderRefusal.self) { try EncryptionHeader(text) }
    }

    @Test func `the timestamp of a token is decimal milliseconds`() throws {
        func header(_ timestamp: String) throws -> TokenHeader {
            try TokenHeader(
                Self.text([
                    ("token_id", Self.id), ("token_digest", "QQ=="), ("nonce", Self.key), ("version", "3.2"),
                    ("timestamp", timestamp),
                ]))
        }
        #expect(try header("1767323045000").milliseconds == 1_767_323_045_000)
        for text in ["", "12345678", "1234567890123456", "-1767323045000", "17673230450.0", "१२३४५६७८९०"] {
            #expect(throws: HeaderRefusal.self) { try header(text) }
        }
    }
}
