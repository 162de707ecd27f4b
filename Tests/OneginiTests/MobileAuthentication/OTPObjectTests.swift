import Essentials
import Testing

@testable import Onegini

struct OTPObjectTests {
    private struct Vector: Decodable {
        let json: String
        let base64: String
    }

    private let vector = read(Vector.self, "otp.json")
    private let id = "cf51a27a-df80-42ad-bdd7-936c476b2c87"
    private let code = String(repeating: "9F", count: 32)

    @Test func `the OTP object has the bytes of the vector`() {
        let object = OTPObject(transactionID: id, code: code)

        #expect(object.text == vector.base64)
        #expect(Data(base64Encoded: object.text) == Data(vector.json.utf8))
        #expect(vector.json.utf8.count == 130)
        #expect(object.text.utf8.count == 176)
    }

    @Test func `the vector is read`() throws {
        let object = try OTPObject(reading: vector.base64)

        #expect(object == OTPObject(transactionID: id, code: code))
    }

    @Test func `any order of members, other members and missing padding are read`() throws {
        let json = "{ \"new\": [12], \"otp\": \"\(code)\", \"transaction_id\": \"\(id)\" }"
        let padded = Data(json.utf8).base64EncodedString()
        let bare = String(padded.prefix { $0 != "=" })

        #expect(padded != bare)
        #expect(try OTPObject(reading: bare) == OTPObject(transactionID: id, code: code))
        #expect(try OTPObject(reading: padded) == OTPObject(transactionID: id, code: code))
    }

    @Test(arguments: [
        ("%%%", "is not base64"),
        ("aGVsbG8=", "is base64, but not of a JSON object"),
        ("WzFd", "is base64, but not of a JSON object"),
        ("eyJvdHAiOiJBIn0=", "is a JSON object without the member “transaction_id”"),
        ("eyJ0cmFuc2FjdGlvbl9pZCI6IkEifQ==", "is a JSON object without the member “otp”"),
        (String(repeating: "A", count: 4100), "is longer than 4096 bytes"),
    ])
    func `what is no OTP object is told apart`(_ text: String, _ words: String) {
        #expect(throws: OTPObject.Fault(words)) { try OTPObject(reading: text) }
    }
}
