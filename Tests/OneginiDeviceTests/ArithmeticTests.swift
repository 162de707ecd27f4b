import Crypto
import DeviceKit
import Essentials
import Testing

@testable import OneginiDevice

/// What a device computes, against values of other implementations: GnuPG, Sequoia, and those in `Tests/Vectors/onegini/README.md`.
@Suite struct ArithmeticTests {
    @Test func `responses to registration challenges are those of another implementation`() throws {
        let ocra = try #require(try Vectors.json("device.json")["ocra"])
        let steps = try #require(ocra["time_steps"]?.array)
        #expect(!steps.isEmpty)
        for step in steps {
            let response = try DeviceSecrets.response(
                signature: ocra.required("application_signature"), challenge: ocra.required("challenge"),
                seconds: #require(step["unix"]?.integer))
            #expect(try response == step.required("response"))
        }
    }

    @Test func `a PIN hides a refresh token and shows it again, and a wrong one shows another`() throws {
        let vector = try #require(try Vectors.json("device.json")["pin_masking"])
        let token = try #require(Hex.decode(vector.required("refresh_token")))
        func masked(_ token: [UInt8], _ pin: String) throws -> String {
            Hex.encode(
                try DeviceSecrets.masked(
                    token, pin: pin, clientID: vector.required("client_id"),
                    profileID: vector.required("profile_id")))
        }

        let stored = try vector.required("stored_blob_hex")
        #expect(try masked(token, "13524") == stored)
        let bytes = try #require(Hex.decode(stored))
        #expect(try masked(bytes, "13524").uppercased() == vector.required("refresh_token"))
        #expect(
            try masked(bytes, "13525").uppercased() == vector.required("unmasked_with_wrong_pin_13525"))
    }

    @Test func `a key has the fingerprint that GnuPG gives it`() throws {
        let key = PGPKey(
            pem: try Vectors.openPGP("device_rsa_private_pkcs8_pem"), createdAt: Vectors.keyTime)
        #expect(
            Hex.encode(try key.publicHalf().fingerprint).uppercased()
                == "BFE54829EF47A701FC71FC9B0BF3E87849FDAAF9")
    }

    @Test func `the server's certificate is read, and one with a changed signature is refused`() throws {
        let text = try Vectors.openPGP("server_public_key_armored")
        let certificate = try PGPCertificate(text)
        #expect(certificate.fingerprint == "5C0163BB588587339891FD58409A429B92EDDB01")

        let bytes = try PGPArmor.decode(text)
        for packet in 0..<5 {
            var packets = try PGPPacket.all(in: bytes)
            var body = packets[packet].body
            body[body.count - 1] ^= 1
            packets[packet] = PGPPacket(tag: packets[packet].tag, body: body)
            let changed = PGPArmor.encode(packets.flatMap(\.bytes))
            #expect(throws: (any Error).self, "packet \(packet)") { try PGPCertificate(changed) }
        }
    }

    @Test func `a message of another implementation is decrypted, and a changed one is refused`() throws {
        let key = PGPKey(
            pem: try Vectors.openPGP("device_rsa_private_pkcs8_pem"), createdAt: Vectors.keyTime)
        let message = try PGPArmor.decode(Vectors.openPGP("server_to_device_rsa_armored"))
        let plain = try PGPMessage.decrypt(message, with: key)
        #expect(try String(decoding: plain, as: UTF8.self) == Vectors.openPGP("server_to_device_plaintext"))

        for index in stride(from: 20, to: message.count, by: 37) {
            var changed = message
            changed[index] ^= 1
            #expect(throws: (any Error).self, "byte \(index)") { try PGPMessage.decrypt(changed, with: key) }
        }
        #expect(throws: DeviceError.self) { try PGPMessage.decrypt(Array("hello".utf8), with: key) }
    }

    @Test func `armor is that of other implementations`() throws {
        let text = try Vectors.openPGP("server_public_key_armored")
        #expect(try PGPArmor.encode(PGPArmor.decode(text)) == text)
    }

    @Test(arguments: [
        ("13524", nil), ("1352", 9014), ("135249", 9014), ("1352a", 9014), ("12345", 9012), ("97531", 9012),
        ("90210", 9011), ("11124", 9013), ("11000", 9013), ("11224", nil), ("89012", nil),
    ])
    func `the SDK refuses PINs against the policy by itself`(_ pin: String, _ code: Int?) throws {
        let policy = try PINPolicy([
            "pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false, "blocked_pins": ["90210"],
        ])
        guard let code else { return try policy.check(pin) }
        let refusal = try #require(throws: SDKRefusal.self) { try policy.check(pin) }
        #expect(refusal.sdk.number == code)
        #expect(refusal.status == 0)
    }
}
