import Crypto
import DeviceKit
import Essentials
import Testing

@testable import NextAuthDevice

@Suite struct ArithmeticTests {
    /// Expected values: `hashlib.pbkdf2_hmac` and `hmac.digest` of Python 3.11.
    @Test func `PIN key and proof are those of another implementation`() throws {
        let device = try JSONDecoder().decode(
            NextAuthDevice.self,
            from: Data(
                #"""
                {"id": "AAAAAAAAAAAAAAAAAAAAAA", "token": "t", "accounts": [], "sessions": [], "lastEvent": 0,
                 "config": {}}
                """#.utf8))
        #expect(
            Base64URL.encode(try device.pinKey("12345")) == "T-wUwysRRe8JR5ThTRzyOTASQEEyEP-WzX2oi1_5zzM")
        #expect(
            try device.pinProof("12345", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
                == "qvINw-55LuTXoVyzNejTh8BQfWcdKbV58p_ac60_P7Y")
    }

    @Test func `the signed text has a line feed behind each line`() {
        #expect(
            DeviceText(id: "f", type: "TRANSACTION", challenge: "c", subject: "1", approves: false).text
                == "understudy-nextauth-1\nf\nTRANSACTION\nc\n1\n0\n")
        #expect(DeviceText(id: "f", type: "LOGIN", challenge: "c", subject: "1").text.hasSuffix("\n1\n\n"))
    }

    @Test func `a signature is DER and verifies with the key that was sent`() throws {
        let entropy = (0..<32).map { UInt8($0 + 1) }
        let key = try AccountKey(drawnFrom: { _ in entropy })
        let publicKey = try PublicKey(der: #require(Base64URL.decode(key.publicText)))
        let signature = try #require(Base64URL.decode(key.sign("text")))
        let raw = try ECSignature.raw(fromDER: signature, .p256)
        #expect(publicKey.isValid(raw, for: Array("text".utf8), with: .es256))
        #expect(!publicKey.isValid(raw, for: Array("Text".utf8), with: .es256))
    }

    @Test(arguments: [
        ("na1;L;http://localhost/nextauth;AQ;AA", "LOGIN"),
        ("na1;E;http://localhost/nextauth;AQ;AA;AA", "ENROL"),
        ("na1;S;http://localhost/nextauth;AQ;AA;AA", "TRANSACTION"),
        ("com.nextauth.client:bmExO0w7aHR0cDovL2E7QVE7QUE", "LOGIN"),
        ("bmExO0w7aHR0cDovL2E7QVE7QUE=", "LOGIN"),
    ])
    func `a code says which flow it begins`(_ code: String, _ type: String) throws {
        #expect(try NextAuthDevice.flowType(ofCode: code) == type)
    }

    @Test(arguments: ["", "na1", "na1;X;a;b;c", "na2;L;a;b;c", "https://example.org/", "bmEx"])
    func `other codes begin none`(_ code: String) {
        #expect(throws: DeviceError.self) { try NextAuthDevice.flowType(ofCode: code) }
    }
}
