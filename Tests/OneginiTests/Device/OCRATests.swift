import Crypto
import Essentials
import Testing

@testable import Onegini

/// RFC 6287, appendix C; `ocra` of the device protocol's vectors.
@Suite struct OCRATests {
    static let key20 = Array("12345678901234567890".utf8)
    static let key32 = Array("12345678901234567890123456789012".utf8)
    static let key64 = Array("1234567890123456789012345678901234567890123456789012345678901234".utf8)

    /// A decimal question as RFC 6287 §5.1 wants it: in hexadecimal, filled up with zeros at the right.
    private func question(_ decimal: String) throws -> [UInt8] {
        let hex = String(try #require(UInt64(decimal)), radix: 16)
        return try #require(Hex.decode(hex + String(repeating: "0", count: 256 - hex.count)))
    }

    @Test(arguments: [
        ("00000000", "237653"), ("11111111", "243178"), ("22222222", "653583"), ("33333333", "740991"),
        ("44444444", "608993"), ("55555555", "388898"), ("66666666", "816933"), ("77777777", "224598"),
        ("88888888", "750600"), ("99999999", "294470"),
    ])
    func `OCRA-1:HOTP-SHA1-6:QN08 as in the RFC`(decimal: String, expected: String) throws {
        let ocra = OCRA(suite: "OCRA-1:HOTP-SHA1-6:QN08", digest: .sha1, digits: 6)

        #expect(ocra.response(key: Self.key20, .init(question: try question(decimal))) == expected)
    }

    @Test(arguments: [
        (0, "65347737"), (1, "86775851"), (2, "78192410"), (3, "71565254"), (4, "10104329"), (5, "65983500"),
        (6, "70069104"), (7, "91771096"), (8, "75011558"), (9, "08522129"),
    ])
    func `OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1 as in the RFC`(counter: UInt64, expected: String) throws {
        let ocra = OCRA(suite: "OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1", digest: .sha256, digits: 8)
        let input = OCRA.Input(
            counter: counter, question: try question("12345678"), pin: Digest.sha1(Array("1234".utf8)))

        #expect(ocra.response(key: Self.key32, input) == expected)
    }

    @Test(arguments: [
        (0, "00000000", "07016083"), (1, "11111111", "63947962"), (2, "22222222", "70123924"),
        (3, "33333333", "25341727"), (4, "44444444", "33203315"), (5, "55555555", "34205738"),
        (6, "66666666", "44343969"), (7, "77777777", "51946085"), (8, "88888888", "20403879"),
        (9, "99999999", "31409299"),
    ])
    func `OCRA-1:HOTP-SHA512-8:C-QN08 as in the RFC`(counter: UInt64, decimal: String, expected: String)
        throws
    {
        let ocra = OCRA(suite: "OCRA-1:HOTP-SHA512-8:C-QN08", digest: .sha512, digits: 8)
        let input = OCRA.Input(counter: counter, question: try question(decimal))

        #expect(ocra.response(key: Self.key64, input) == expected)
    }

    @Test(arguments: [
        ("00000000", "95209754"), ("11111111", "55907591"), ("22222222", "22048402"),
        ("33333333", "24218844"), ("44444444", "36209546"),
    ])
    func `OCRA-1:HOTP-SHA512-8:QN08-T1M as in the RFC`(decimal: String, expected: String) throws {
        let ocra = OCRA(suite: "OCRA-1:HOTP-SHA512-8:QN08-T1M", digest: .sha512, digits: 8)
        let input = OCRA.Input(question: try question(decimal), time: 0x132_d0b6)

        #expect(ocra.response(key: Self.key64, input) == expected)
    }

    @Test func `the response of a registration is that of the vectors`() throws {
        let vectors = read(Vectors.self, "device.json").ocra
        let key = RegistrationResponse.key(of: vectors.application_signature)
        let question = try #require(Hex.decode(vectors.challenge))

        #expect(Hex.encode(key) == vectors.key_hex)
        #expect(OCRA.registration.suite == vectors.suite)
        for step in vectors.time_steps {
            #expect(step.unix / 60 == step.T)
            #expect(
                RegistrationResponse.response(key: key, question: question, step: step.T) == step.response)
        }
    }

    struct Vectors: Decodable {
        struct OCRA: Decodable {
            struct Step: Decodable {
                let unix: Int
                let T: Int
                let response: String
            }
            let suite: String
            let application_signature: String
            let key_hex: String
            let challenge: String
            let time_steps: [Step]
        }
        let ocra: OCRA
    }
}
