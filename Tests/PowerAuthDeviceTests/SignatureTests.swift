import Crypto
import DeviceKit
import Essentials
import JOSE
import Testing

@testable import PowerAuthDevice

@Suite struct SignatureTests {
    /// What a header of PowerAuth says, by name.
    private func members(_ header: String) -> [String: String] {
        Dictionary(
            header.matches(of: /(\w+)="([^"]*)"/).map { (String($0.1), String($0.2)) },
            uniquingKeysWith: { $1 })
    }

    /// Source: `EciesMetadata`, `TokenCalculatorJNI` and the core of the published SDK 1.9.
    @Test func `headers are written as each platform does, the version first`() throws {
        let server = try ServerHalf()
        let ios = try server.makeActiveDevice(style: .ios)
        let id = ServerHalf.activationID
        let key = ServerHalf.applicationKey
        #expect(
            try ios.encryptionHeader(.activation)
                == #"PowerAuth version="3.3", application_key="\#(key)", activation_id="\#(id)""#)
        #expect(
            try ios.authorization(uriID: "/x", body: [], with: .possession)
                .hasPrefix(#"PowerAuth pa_version="3.3", pa_activation_id="\#(id)", pa_application_key="#))
        let android = try server.makeActiveDevice(style: .android)
        #expect(
            try android.encryptionHeader(.activation)
                == #"PowerAuth version="3.3" application_key="\#(key)" activation_id="\#(id)""#)
        let names = ["pa_version", "pa_activation_id", "pa_application_key", "pa_nonce"]
        let header = try android.authorization(uriID: "/x", body: [], with: .possession)
        #expect(
            header.matches(of: /(\w+)="[^"]*"/).map { String($0.1) }
                == names + ["pa_signature_type", "pa_signature"])
        android.tokens["one"] = Token(id: "t", secret: [UInt8](repeating: 1, count: 16))
        #expect(
            try android.tokenHeader("one").matches(of: /(\w+)="[^"]*"/).map { String($0.1) }
                == ["version", "token_id", "token_digest", "nonce", "timestamp"])
    }

    @Test func `JSON is escaped as each platform does`() {
        let value: JSONValue = ["a": "x/y=<b>&'\"", "n": 1]
        #expect(
            String(decoding: DeviceStyle.ios.json(value), as: UTF8.self) == #"{"a":"x\/y=<b>&'\"","n":1}"#)
        #expect(
            String(decoding: DeviceStyle.android.json(value), as: UTF8.self)
                == #"{"a":"x/y\u003d\u003cb\u003e\u0026\u0027\"","n":1}"#)
    }

    @Test(arguments: [
        (Device.Version.v30, Credential.possession, 8), (.v30, .pin("1"), 17),
        (.v30, .pinAndBiometry("1"), 26), (.v31, .possession, 24), (.v33, .pin("1"), 44),
        (.v32, .biometry, 44), (.v33, .pinAndBiometry("1"), 64), (.v33, .pinAlone("1"), 24),
        (.v33, .biometryAlone, 24),
    ])
    func `a code has the length of its version and factors, and steps the counter`(
        _ version: Device.Version, _ credential: Credential, _ length: Int
    ) throws {
        let device = try ServerHalf().makeActiveDevice(version)
        let header = members(try device.authorization(uriID: "/login", body: [], with: credential))
        #expect(header["pa_signature"]?.utf8.count == length)
        #expect(header["pa_signature_type"] == credential.factors)
        #expect(header["pa_version"] == version.rawValue)
        #expect(device.activation?.counter.count == 1)
    }

    @Test func `a PIN opens the right key, and a wrong one another`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        let right = try KeyArithmetic.derive(server.masterSecret, 2)
        let kept = try #require(device.activation).knowledgeKey
        #expect(try kept.key(pin: "1234") == right)
        #expect(try kept.key(pin: "1235") != right)

        try device.changePIN(from: "1234", to: "9876")
        let changed = try #require(device.activation).knowledgeKey
        #expect(try changed.key(pin: "9876") == right)
        #expect(try changed.key(pin: "1234") != right)
    }

    @Test func `mistakes are made on purpose`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        let before = device.activation

        device.faults.body = { $0 + [0x20] }
        _ = try device.signedRequest(
            "/pa/v3/signature/validate", body: [0x7B, 0x7D], uriID: "/x", with: .possession)
        #expect(server.requests.last?.body == [0x7B, 0x7D, 0x20])
        device.faults = Device.Faults()

        let count = server.requests.count
        _ = try device.replay()
        #expect(server.requests.count == count + 1)
        #expect(
            server.requests[count].headers.map(\.value) == server.requests[count - 1].headers.map(\.value))

        device.activation = before
        let right = try device.components(of: [1], with: .pin("1234"))
        device.activation = before
        device.faults.breaksSignature = true
        let wrong = try device.components(of: [1], with: .pin("1234"))
        #expect(right[0] == wrong[0] && right[1] != wrong[1])
        device.faults = Device.Faults()

        device.faults.breaksMAC = true
        #expect(throws: DeviceError("the request's MAC")) { try device.createToken("a") }
        device.faults = Device.Faults()
        device.faults.timeShift = -3_600_000
        try device.createToken("a")
        let body = try JSONValue(parsing: #require(server.requests.last).body)
        #expect(body["timestamp"]?.integer == server.now - 3_600_000)
        #expect(members(try device.tokenHeader("a"))["timestamp"] == String(server.now - 3_600_000))
    }

    @Test func `a token is kept by its name, and dies by it`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice(.v32)
        try device.createToken("login")
        let header = members(try device.tokenHeader("login"))
        let nonce = try Wire.bytes(header["nonce"], "nonce", count: 16)
        let input = nonce + Array("&\(server.now)&3.2".utf8)
        let digest = Digest.sha256.authenticationCode(of: input, key: [UInt8](1...16))
        #expect(header["token_digest"] == Base64.encode(digest))
        #expect(try device.tokenHeader("login").contains(Base64.encode(nonce)) == false)

        server.mistake = .otherToken
        #expect(throws: DeviceError.self) { try device.removeToken("login") }
        server.mistake = .none
        try device.removeToken("login")
        #expect(throws: DeviceError("there is no token “login”")) { try device.tokenHeader("login") }
    }

    @Test func `the vault opens for its own key alone`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        let key = try device.unlockVault(reason: "TEST", with: .pin("1234"))
        #expect(key == (try KeyArithmetic.derive(server.masterSecret, 2000)))
        #expect(server.plaintext == ["reason": "TEST"])
        #expect(try device.vaultKey(index: 7, with: .pin("1234")) == KeyArithmetic.derive(key, 7))

        server.mistake = .vaultKeyOfAnother
        #expect(throws: DeviceError.self) { try device.unlockVault(reason: nil, with: .pin("1234")) }
    }

    @Test func `the device's key signs in both forms`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        let key = try PublicKey(x962: #require(device.activation).deviceKey)
        let signature = try device.signWithDeviceKey([1, 2, 3], with: .pin("1234"))
        #expect(CurveKey.isValid(signature, for: [1, 2, 3], key))
        #expect(!CurveKey.isValid(signature, for: [1, 2, 4], key))

        let token = try device.signedJWT(["sub": "eva"], with: .pin("1234"))
        let verified = try JWS.verify(token, keys: [JWK(.publicKey(key))])
        #expect(verified.header == JWSHeader(.es256, type: "JWT"))
        #expect(try JSONValue(parsing: verified.payload) == ["sub": "eva"])
    }

    @Test func `biometry can be set up later`() throws {
        let server = try ServerHalf()
        let device = server.makeDevice()
        try device.activate(ActivationRequest(.custom([:])), pin: "1234", biometry: false)
        #expect(throws: DeviceError("biometry is not set up")) { try device.validate(with: .biometry) }
        try device.addBiometry(pin: "1234")
        #expect(device.activation?.biometryKey == (try KeyArithmetic.derive(server.masterSecret, 3)))
    }

    @Test func `removal is believed when it is that of the activation`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        server.mistake = .otherActivationRemoved
        #expect(throws: DeviceError.self) { try device.removeActivation(with: .pin("1234")) }
        #expect(device.activation != nil)
        server.mistake = .none
        try device.removeActivation(with: .pin("1234"))
        #expect(device.activation == nil)
    }

    @Test func `a refusal tells status, code and message`() throws {
        let device = try ServerHalf().makeActiveDevice()
        let refusal = #expect(throws: ServerRefusal.self) { try device.call("/nowhere") }
        #expect(refusal?.status == 404)
        #expect(refusal?.code == "ERROR_NOT_FOUND")
        #expect(refusal?.message == "no path")
    }
}
