import Crypto
import DeviceKit
import Essentials
import Testing

@testable import PowerAuthDevice

@Suite struct ActivationTests {
    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `a device exchanges keys in every version and style`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let server = try ServerHalf()
        let device = server.makeDevice(version, style: style)

        let result = try device.activate(
            ActivationRequest(
                .code("AAAAA-AAAAA-AAAAA-AAAAA"), name: "Eva's", otp: "12345", deviceInfo: "Pixel 8"),
            pin: "1234")

        let activation = try #require(device.activation)
        #expect(result.activationID == ServerHalf.activationID)
        #expect(activation.third?.transportKey == (try KeyArithmetic.derive(server.masterSecret, 1000)))
        #expect(activation.counter.data == server.counter.data)
        #expect(activation.counter.count == 0)
        #expect(server.plaintext?["platform"]?.string == style.platform.rawValue)
        #expect(server.plaintext?["activationName"]?.string == "Eva's")
        #expect(server.plaintext?["activationOtp"]?.string == "12345")
        #expect(server.plaintext?["deviceInfo"]?.string == "Pixel 8")
        let request = try #require(server.requests.last)
        #expect(request.header("X-PowerAuth-Authorization") == nil)
        #expect(request.header("X-PowerAuth-Encryption")?.contains("activation_id") == false)
    }

    @Test(arguments: [true, false])
    func `points are sent in the form of the style`(_ isCompressed: Bool) throws {
        let server = try ServerHalf()
        let device = server.makeDevice(style: DeviceStyle(.ios, compressesPoints: isCompressed))
        try device.activate(ActivationRequest(.custom(["user": "eva"])), pin: "1234")
        let point = try Wire.bytes(server.plaintext?["devicePublicKey"]?.string, "devicePublicKey")
        #expect(point.count == (isCompressed ? 33 : 65))
        let body = try JSONValue(parsing: #require(server.requests.last).body)
        #expect(
            try Wire.bytes(body["ephemeralPublicKey"]?.string, "key").count == (isCompressed ? 33 : 65))
    }

    @Test(arguments: [
        ServerHalf.Mistake.macWrong, .nonceRepeated, .timeMissing, .envelopeAround, .serverKeyNoPoint,
        .counterShort, .idEmpty, .status201, .temporaryKeyByOtherSigner, .temporaryKeyWithoutType,
        .temporaryKeyOtherChallenge,
    ])
    func `an answer that does not hold leaves the device as it was`(_ mistake: ServerHalf.Mistake) throws {
        let server = try ServerHalf()
        server.mistake = mistake
        let device = server.makeDevice()

        #expect(throws: (any Error).self) {
            try device.activate(ActivationRequest(.code("AAAAA-AAAAA-AAAAA-AAAAA")), pin: "1234")
        }
        #expect(device.activation == nil)
    }

    @Test(arguments: [Device.Version.v30, .v31])
    func `old versions have no nonce in the answer`(_ version: Device.Version) throws {
        let server = try ServerHalf()
        server.mistake = .nonceInOldVersion
        #expect(throws: DeviceError.self) { _ = try server.makeActiveDevice(version) }
    }

    @Test func `each way to be known has its type and attributes`() {
        let recovery = ActivationRequest(.recovery(code: "C", puk: "1234567890"))
        #expect(recovery.type == "RECOVERY")
        #expect(recovery.identityAttributes == ["recoveryCode": "C", "puk": "1234567890"])
        let openID = ActivationRequest(.openID(provider: "p", code: "c", nonce: "n", verifier: "v"))
        #expect(openID.type == "DIRECT")
        #expect(
            openID.identityAttributes
                == ["method": "oidc", "providerId": "p", "code": "c", "nonce": "n", "codeVerifier": "v"])
        let plain = ActivationRequest(.openID(provider: "p", code: "c", nonce: "n"))
        #expect(plain.identityAttributes["codeVerifier"] == nil)
        #expect(ActivationRequest(.custom(["a": "b"])).type == "CUSTOM")
    }

    @Test(arguments: [
        "AAAAA-AAAAA-AAAAA-AAAAA", "MMMMM-MMMMM-MMMMM-MUTOA", "55555-55555-55555-55YMA",
        "W65WE-3T7VI-7FBS2-A4OYA", "X3TS3-TI35Z-JZDNT-TRPFA", "R:X3TS3-TI35Z-JZDNT-TRPFA",
    ])
    func `codes that the real kits accept are accepted`(_ text: String) throws {
        #expect(throws: Never.self) { try ActivationCode(parsing: text) }
    }

    @Test(arguments: [
        "", "AAAAA-AAAAA-AAAAA-AAAAB", "aaaaa-aaaaa-aaaaa-aaaaa", "AAAAAAAAAAAAAAAAAAAA",
        "MMMMM-MMMMM-MMMMM-MUTOB", "MMMMM-MMMMM-MMMMM-MUTOA-", "MMMMM-MMMMM-MMMMM-MUTO1",
        "W65WE-3T7VI-7FBS2-A4OYA#?",
    ])
    func `other codes are refused`(_ text: String) {
        #expect(throws: DeviceError.self) { try ActivationCode(parsing: text) }
    }

    /// One sign of the code, or of its checksum, is another one.
    @Test(arguments: ["W65WE-3T7VI-7FBS3-A4OYA", "W65WE-3T7VI-7FBS2-A4OZA", "MMMMM-MMMMM-MMMMM-MUTPA"])
    func `a code that was mistyped is noticed by its checksum`(_ text: String) throws {
        let error = try #require(throws: DeviceError.self) { try ActivationCode(parsing: text) }
        #expect(error.reason.contains("checksum"))
    }

    @Test(arguments: ["", "AQ==", "AhBB", "ARBB1ESYWPOVPKmZAdxS3wZYEPd5Sh9/YChir+e0vL8GOeEA"])
    func `configurations that end early or have no key are refused`(_ text: String) {
        #expect(throws: DeviceError.self) { try MobileConfiguration(parsing: text) }
    }

    @Test func `keys of other numbers are skipped, and points may be compressed`() throws {
        let key = try CurveKey.generate(TestChance().draw).publicKey
        let field: ([UInt8]) -> [UInt8] = { [UInt8($0.count)] + $0 }
        let other: [UInt8] = [2, 0x80, 0xC0] + [UInt8](repeating: 7, count: 192)
        let bytes =
            [1] + field([UInt8](1...16)) + field([UInt8](17...32)) + [2] + other + [1]
            + field(try key.x962(compressed: true))
        let configuration = try MobileConfiguration(parsing: Base64.encode(bytes))
        #expect(configuration.applicationKey == ServerHalf.applicationKey)
        #expect(configuration.applicationSecret == ServerHalf.applicationSecret)
        #expect(configuration.masterKey == key)
    }
}
