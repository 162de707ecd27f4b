import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// An app in software: what a stub of the vendor's SDK does, written from the text of the device protocol and not with the
/// platform's own types.
struct Device {
    static let base = "/nextauth/device/v1"

    let bench: TestBench<NextAuth>
    let instanceID: String
    let token: String
    var pin = "12345"
    var keys: [Int: PrivateKey] = [:]
    var biometrics: PrivateKey?

    init(_ bench: TestBench<NextAuth>) throws {
        self.bench = bench
        let answer = try bench.post(
            Self.base + "/instances",
            ["platform": "test", "clientVersion": "1.0", "name": "Phone"] as JSONValue)
        let body = try answer.json(JSONValue.self)
        instanceID = try #require(body["instanceid"]?.string)
        token = try #require(body["token"]?.string)
    }

    // MARK: - Calls

    func send(_ method: Request.Method, _ path: String, _ body: JSONValue? = nil) -> Response {
        bench.send(
            method, Self.base + path, body: body?.bytes ?? [],
            headers: ["Authorization": "Device \(token)", "Content-Type": "application/json"])
    }

    func get(_ path: String) throws -> JSONValue { try send(.get, path).json(JSONValue.self) }

    func post(_ path: String, _ body: JSONValue = [:]) throws -> JSONValue {
        try send(.post, path, body).json(JSONValue.self)
    }

    func start(_ wish: JSONValue) throws -> FlowObject { FlowObject(try post("/flows", wish)) }

    func step(_ name: String, _ flow: FlowObject, _ body: JSONValue = [:]) throws -> FlowObject {
        FlowObject(try post("/flows/\(flow.id)/\(name)", body))
    }

    // MARK: - Proofs

    /// Source: the device protocol, “signed text”.
    func sign(
        _ key: PrivateKey, id: String, type: String, challenge: String, subject: String, approve: String = ""
    ) throws -> String {
        let text = "understudy-nextauth-1\n\(id)\n\(type)\n\(challenge)\n\(subject)\n\(approve)\n"
        return Base64URL.encode(try key.sign(Array(text.utf8), with: .es256))
    }

    func sign(_ flow: FlowObject, _ account: Int, approve: String = "") throws -> String {
        try sign(
            #require(keys[account]), id: flow.id, type: flow.type, challenge: flow.challenge,
            subject: String(account), approve: approve)
    }

    func pinKey(_ pin: String) throws -> [UInt8] {
        try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: #require(Base64URL.decode(instanceID)),
            iterations: 10_000, count: 32)
    }

    func pinProof(_ challenge: String, pin: String? = nil) throws -> String {
        let bytes = try #require(Base64URL.decode(challenge))
        return Base64URL.encode(
            Digest.sha256.authenticationCode(of: bytes, key: try pinKey(pin ?? self.pin)))
    }

    // MARK: - Whole sequences

    /// Confirms an enrolment, and says which key it made.
    func confirmEnrolment(
        _ flow: FlowObject, headless: Bool = false
    ) throws -> (flow: FlowObject, key: PrivateKey) {
        let key = try PrivateKey.generate(.ec(.p256))
        let spki = Base64URL.encode(try key.publicKey.der())
        let signature = try sign(
            key, id: flow.id, type: "ENROL", challenge: flow.challenge, subject: spki)
        let next = try step(
            "confirm", flow,
            [
                "publickey": .string(spki), "description": "Phone", "headless": .boolean(headless),
                "signature": .string(signature),
            ])
        return (next, key)
    }

    /// Sets the PIN, or proves it where it is set.
    func answerFactor(_ flow: FlowObject) throws -> FlowObject {
        guard flow.interaction?["type"] == "SET_SECOND_FACTOR" else {
            return try step("secondfactor", flow, ["pinproof": .string(try pinProof(flow.challenge))])
        }
        var body: [String: JSONValue] = ["pinkey": .string(Base64URL.encode(try pinKey(pin)))]
        if let biometrics {
            body["biometrickey"] = .string(Base64URL.encode(try biometrics.publicKey.der()))
        }
        return try step("secondfactor", flow, .object(body))
    }

    /// - Returns: the flow in its last state.
    @discardableResult
    mutating func enrol(_ code: String, headless: Bool = false, config: JSONValue = [:]) throws -> FlowObject
    {
        let started = try start(["type": "ENROL", "data": .string(code), "config": config])
        let (confirmed, key) = try confirmEnrolment(started, headless: headless)
        let done = headless ? confirmed : try answerFactor(confirmed)
        keys[try #require(done.json["account"]?["accountid"]?.integer)] = key
        return done
    }

    /// The body that proves PIN and account at once.
    func factor(_ flow: FlowObject, _ account: Int, pin: String? = nil) throws -> JSONValue {
        [
            "pinproof": .string(try pinProof(flow.challenge, pin: pin)),
            "signature": .string(try sign(flow, account)),
        ]
    }

    /// An AppLogin, with the PIN where it is asked.
    func appLogIn(_ account: Int, config: JSONValue = [:]) throws -> FlowObject {
        let flow = try start(["type": "APPLOGIN", "config": config])
        if flow.interaction == nil {
            return try step("complete", flow, ["signature": .string(try sign(flow, account))])
        }
        return try step("secondfactor", flow, factor(flow, account))
    }
}

/// A flow as the device sees it.
struct FlowObject {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    var id: String { json["flowid"]?.string ?? "" }
    var type: String { json["type"]?.string ?? "" }
    var state: String? { json["state"]?.string }
    var challenge: String { json["challenge"]?.string ?? "" }
    var interaction: JSONValue? { json["interaction"].flatMap { $0.isNull ? nil : $0 } }
    var session: JSONValue? { json["session"].flatMap { $0.isNull ? nil : $0 } }
    var sessionID: String { session?["sessionid"]?.string ?? "" }
    /// The member `code` of a refusal.
    var code: String? { json["code"]?.string }
}
