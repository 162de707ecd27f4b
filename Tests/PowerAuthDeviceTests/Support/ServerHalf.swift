import Crypto
import DeviceKit
import Essentials
import JOSE

@testable import PowerAuthDevice

/// As much of a server as the device needs to be looked at: it answers rightly, or with one mistake.
///
/// It shares the device's arithmetic, which the vectors prove, and nothing of what the device does with it.
final class ServerHalf {
    enum Mistake: Equatable {
        case none
        case temporaryKeyByOtherSigner, temporaryKeyWithoutType, temporaryKeyOtherChallenge
        case macWrong, nonceRepeated, timeMissing, envelopeAround, status201
        case nonceInOldVersion
        case serverKeyNoPoint, counterShort, idEmpty
        case vaultKeyOfAnother
        case otherToken, otherActivationRemoved
        case lookAheadZero, wrongCounterByte
    }

    static let start = 1_800_000_000_000
    static let applicationKey = Base64.encode([UInt8](1...16))
    static let applicationSecret = Base64.encode([UInt8](17...32))
    static let activationID = "5a2f1c9e-7b64-4d0c-9e55-0c1d2e3f4a5b"

    let chance = TestChance(9)
    let master: PrivateKey
    let own: PrivateKey
    let temporary: PrivateKey
    var mistake = Mistake.none
    /// Milliseconds since 1970.
    var now = ServerHalf.start
    /// 1 to 5, as in the status.
    var state: UInt8 = 3
    var counter = HashCounter(KeyArithmetic.zeros(16))
    var masterSecret: [UInt8] = []
    /// The newest plaintext that was received encrypted, the innermost.
    private(set) var plaintext: JSONValue?
    private(set) var requests: [DeviceRequest] = []

    init() throws {
        master = try CurveKey.generate(chance.draw)
        own = try CurveKey.generate(chance.draw)
        temporary = try CurveKey.generate(chance.draw)
    }

    var configuration: MobileConfiguration {
        MobileConfiguration(
            applicationKey: Self.applicationKey, applicationSecret: Self.applicationSecret,
            masterKey: master.publicKey)
    }

    /// - Parameter skew: milliseconds that the device's clock is ahead.
    func makeDevice(
        _ version: Device.Version = .v33, style: DeviceStyle = .ios, skew: Int = 0
    ) -> Device {
        let chance = TestChance(3)
        return Device(
            configuration, version: version, style: style, clock: { [self] in now + skew },
            random: chance.draw, transport: answer)
    }

    func makeActiveDevice(_ version: Device.Version = .v33, style: DeviceStyle = .ios) throws -> Device {
        let device = makeDevice(version, style: style)
        try device.activate(ActivationRequest(.code("AAAAA-AAAAA-AAAAA-AAAAA")), pin: "1234")
        return device
    }

    func answer(_ request: DeviceRequest) throws -> DeviceResponse {
        requests.append(request)
        let json = try JSONValue(parsing: request.body)
        let object = json["requestObject"]
        switch request.path {
        case "/pa/v3/status":
            return envelope(["serverTime": .integer(now), "application": ["name": "half", "version": "1"]])
        case "/pa/v3/keystore/create": return envelope(["jwt": .string(try keyAnswer(object))])
        case "/pa/v3/activation/status": return try envelope(statusAnswer(object))
        case "/pa/v3/activation/create": return try createAnswer(json)
        case "/pa/v3/token/create":
            return try encrypted(
                json, .token, ["tokenId": "token-1", "tokenSecret": .string(Base64.encode([UInt8](1...16)))])
        case "/pa/v3/vault/unlock":
            var key = try KeyArithmetic.derive(masterSecret, 2000)
            if mistake == .vaultKeyOfAnother { key[0] ^= 1 }
            let sealed = try AES.encryptCBC(
                key, key: KeyArithmetic.derive(masterSecret, 1000), iv: KeyArithmetic.zeros(16))
            return try encrypted(
                json, .vault, ["encryptedVaultEncryptionKey": .string(Base64.encode(sealed))])
        case "/pa/v3/token/remove":
            return envelope(["tokenId": mistake == .otherToken ? "other" : object?["tokenId"] ?? .null])
        case "/pa/v3/activation/remove":
            return envelope([
                "activationId": .string(mistake == .otherActivationRemoved ? "other" : Self.activationID)
            ])
        case "/pa/v3/signature/validate":
            // Takes any code: what the device signs is seen in `requests`.
            counter.step()
            return DeviceResponse(status: 200, body: Array(#"{"status":"OK"}"#.utf8))
        default:
            let body = #"{"status":"ERROR","responseObject":{"code":"ERROR_NOT_FOUND","message":"no path"}}"#
            return DeviceResponse(status: 404, body: Array(body.utf8))
        }
    }

    private func envelope(_ object: JSONValue) -> DeviceResponse {
        DeviceResponse(
            status: mistake == .status201 ? 201 : 200,
            body: JSONValue.object(["status": "OK", "responseObject": object]).bytes)
    }

    private func keyAnswer(_ object: JSONValue?) throws -> String {
        let token = object?["jwt"]?.string ?? ""
        let payload = Base64URL.decode(token.split(separator: ".")[1]) ?? []
        var claims = try JSONValue(parsing: payload).object ?? [:]
        let isApplication = claims["activationId"] == nil
        if mistake == .temporaryKeyOtherChallenge { claims["challenge"] = "other" }
        claims["sub"] = "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"
        claims["publicKey"] = .string(Base64.encode(try temporary.publicKey.x962()))
        claims["iat_ms"] = .integer(now)
        claims["exp_ms"] = .integer(now + 300_000)
        claims["iat"] = .integer(now / 1000)
        claims["exp"] = .integer((now + 300_000) / 1000)
        let isByMaster = isApplication != (mistake == .temporaryKeyByOtherSigner)
        return try JWS.sign(
            JSONValue.object(claims).bytes,
            header: JWSHeader(.es256, type: mistake == .temporaryKeyWithoutType ? nil : "JWT"),
            key: .privateKey(isByMaster ? master : own))
    }

    private func statusAnswer(_ object: JSONValue?) throws -> JSONValue {
        let transportKey = try KeyArithmetic.derive(masterSecret, 1000)
        var plain = StatusBlob.magic + [state, 3, 3] + chance.draw(5)
        plain += [counter.byte &+ (mistake == .wrongCounterByte ? 1 : 0), 1, 5]
        plain.append(mistake == .lookAheadZero ? 0 : 20)
        plain += try StatusBlob.hash(of: counter, transportKey: transportKey)
        // Without a challenge what tells of the counter is random.
        if object?["challenge"] == nil {
            plain.replaceSubrange(7...12, with: chance.draw(6))
            plain.replaceSubrange(15..., with: [UInt8](repeating: 0xCF, count: 17))
        }
        let challenge = try object?["challenge"].map { try Wire.bytes($0.string, "challenge", count: 16) }
        let nonce = chance.draw(16)
        let iv = try challenge.map { try StatusBlob.iv(transportKey, $0, nonce) } ?? KeyArithmetic.zeros(16)
        let blob = try AES.encryptCBC(plain, key: transportKey, iv: iv, padding: false)
        return [
            "activationId": object?["activationId"] ?? .null,
            "encryptedStatusBlob": .string(Base64.encode(blob)),
            "nonce": challenge == nil ? .null : .string(Base64.encode(nonce)), "customObject": .null,
        ]
    }

    private func createAnswer(_ json: JSONValue) throws -> DeviceResponse {
        let outer = try open(json, .application)
        let inner = try open(outer.plaintext["activationData"] ?? .null, .keyExchange)
        plaintext = inner.plaintext
        let device = try PublicKey(
            x962: Wire.bytes(inner.plaintext["devicePublicKey"]?.string, "devicePublicKey"))
        masterSecret = try KeyArithmetic.masterSecret(own, device)
        counter = HashCounter(chance.draw(16))
        let answer: JSONValue = [
            "activationId": .string(mistake == .idEmpty ? "" : Self.activationID),
            "serverPublicKey": .string(
                Base64.encode(
                    mistake == .serverKeyNoPoint
                        ? Array(try own.publicKey.x962().dropFirst()) : try own.publicKey.x962())),
            "ctrData": .string(Base64.encode(mistake == .counterShort ? [1] : counter.data)),
            "activationRecovery": .null,
        ]
        return try outer.answer([
            "activationData": try inner.sealed(answer), "customAttributes": [:], "userInfo": .null,
        ])
    }

    private func encrypted(
        _ json: JSONValue, _ purpose: Purpose, _ answer: JSONValue
    ) throws -> DeviceResponse {
        let exchange = try open(json, purpose)
        plaintext = exchange.plaintext
        counter.step()
        return try exchange.answer(answer)
    }

    /// The version is told by the header of the newest request.
    private func open(_ json: JSONValue, _ purpose: Purpose) throws -> ServerExchange {
        let header = requests.last?.headers.map(\.value).joined() ?? ""
        let version = Device.Version.allCases.first { header.contains("version=\"\($0.rawValue)\"") }
        return try ServerExchange(self, json, purpose, version ?? .v33)
    }
}
