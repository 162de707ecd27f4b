import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// What a server in front hands on to version 4 of the management API, as devices encrypt it by protocol 4.0.
@Suite struct ManagementV4ExchangeTests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    private func manage(_ path: String, _ object: [String: JSONValue]) -> Response {
        bench.bench.post(
            "/powerauth-java-server/rest/v4/\(path)",
            raw: JSONValue.object(["requestObject": .object(object)]).text)
    }

    private func result(_ path: String, _ object: [String: JSONValue]) throws -> JSONValue {
        let response = manage(path, object)
        #expect(response.status == .ok, "\(path): \(response.text)")
        return try #require(try JSONValue(parsing: response.bytes)["responseObject"])
    }

    private func expect(
        _ response: Response, _ code: String, _ says: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == .badRequest, sourceLocation: sourceLocation)
        let told = try JSONValue(parsing: response.bytes)["responseObject"]
        #expect(told?["code"]?.string == code, sourceLocation: sourceLocation)
        #expect(bench.explanation.contains(says), "\(bench.explanation)", sourceLocation: sourceLocation)
    }

    /// The inner layer of what a phone sends to be activated, which the server in front has freed of the outer one.
    private func innerLayer(of phone: Device, _ request: ActivationRequest) throws -> [String: JSONValue] {
        let caught = Caught()
        phone.faults.plaintext = { purpose, plaintext in
            if purpose == .application {
                caught.members = try JSONValue(parsing: plaintext)["activationData"]?.object ?? [:]
            }
            return plaintext
        }
        bench.refuses = "/pa/v4/activation/create"
        #expect(throws: ServerRefusal.self) { try phone.activate(request, pin: MobileBench.pin) }
        (bench.refuses, phone.faults.plaintext) = (nil, nil)
        #expect(caught.members.count == 4)
        var members = caught.members
        (members["applicationKey"], members["protocolVersion"]) = (.string(MobileBench.key), "4.0")
        return members
    }

    private final class Caught: @unchecked Sendable { var members: [String: JSONValue] = [:] }

    /// As the phone reads the answer.
    private func opened(
        _ answer: JSONValue, to sent: [String: JSONValue], _ purpose: Purpose, by phone: Device,
        _ key: PowerAuthDevice.TemporaryKey
    ) throws -> JSONValue {
        let holder = try purpose.scope == .activation ? phone.requireActivation() : nil
        let message = Protocol4.Message(
            purpose: purpose.rawValue, temporaryKeyID: key.id, secret: try key.secret(),
            configuration: (phone.configuration.applicationKey, try phone.configuration.secretBytes()),
            activation: try holder.map { ($0.id, try $0.ofFourth().sharedInfo2Key) },
            nonce: try #require(sent["nonce"]?.string.flatMap { Base64.decode($0) }))
        return try JSONValue(parsing: message.answer(answer))
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `a registration is prepared by its code`(_ algorithm: Protocol4.Algorithm) throws {
        let phone = try bench.phone4(algorithm)
        let key = try phone.temporaryKey(.application)
        let (id, code) = try bench.register(.onKeyExchange)
        var sent = try innerLayer(of: phone, .init(.code(code), name: "Handed on"))
        phone.temporaryKeys[.application] = key
        sent["activationCode"] = .string(code)
        let told = try result("activation/prepare", sent)
        #expect(
            told["activationId"]?.string == id && told["userId"] == "ada" && told["applicationId"] == "bank"
                && told["activationStatus"] == "ACTIVE")
        let answer = try opened(told, to: sent, .keyExchange, by: phone, key)
        #expect(answer["activationId"]?.string == id)
        #expect(answer["ctrData"]?.string.flatMap { Base64.decode($0) }?.count == 32)
        #expect(answer["serverPublicKeys"]?["mldsa"] != nil || algorithm == .p384)
        let stored = try bench.stored(id)
        #expect(stored.generation == 4 && stored.name == "Handed on")
        try expect(manage("activation/prepare", sent), "ERR0024", "was sent before")
    }

    @Test func `an activation is made for a user, and waits for its commit`() throws {
        let phone = try bench.phone4()
        var sent = try innerLayer(of: phone, .init(.custom(["userId": "ada"])))
        sent["userId"] = "grace"
        let told = try result("activation/create", sent)
        #expect(told["activationStatus"] == "PENDING_COMMIT" && told["userId"] == "grace")
        try expect(manage("activation/create", sent.filter { $0.key != "userId" }), "ERR0001", "user ID")
    }

    @Test func `what is of another protocol or suite has codes of its own`() throws {
        let bench = self.bench
        let phone = try bench.phone4(.hybrid3)
        let code = try bench.register().code
        var sent = try innerLayer(of: phone, .init(.code(code)))
        sent["activationCode"] = .string(code)
        for version in ["3.0", "3.3"] {
            sent["protocolVersion"] = .string(version)
            try expect(manage("activation/prepare", sent), "ERR0047", "belongs to version 3")
        }
        sent["protocolVersion"] = "5"
        try expect(manage("activation/prepare", sent), "ERR0024", "protocolVersion")
        sent["protocolVersion"] = "4.0"
        try bench.bench.world.change { turn in
            var suites = try ApplicationSuites.find("bank", in: turn.db)
            suites.algorithms = [.p384]
            try turn.update(suites)
        }
        try expect(manage("activation/prepare", sent), "ERR0046", "does not take EC_P384_ML_L3")
    }

    /// What a phone sent to a path that did not reach the server, with the members of a header for the management API.
    private func sent(
        by phone: Device, _ path: String, _ call: () throws -> Void
    ) throws -> (members: [String: JSONValue], header: AuthorizationHeader, body: [UInt8]) {
        bench.refuses = path
        #expect(throws: ServerRefusal.self) { try call() }
        bench.refuses = nil
        let request = try #require(phone.lastRequest)
        let header = try AuthorizationHeader(
            #require(request.headers.first { $0.name == AuthorizationHeader.name }).value)
        var members = try #require(try JSONValue(parsing: request.body).object)
        members["activationId"] = .string(header.activationID)
        members["applicationKey"] = .string(header.applicationKey)
        members["authenticationCodeType"] = .string(header.type.rawValue.uppercased())
        return (members, header, request.body)
    }

    @Test func `a token is made for a device`() throws {
        let phone = try bench.activePhone4()
        let key = try phone.temporaryKey(.activation)
        var (members, _, _) = try sent(by: phone, "/pa/v4/token/create") {
            try phone.createToken("mine", with: Self.pin)
        }
        members["protocolVersion"] = "4.0"
        let told = try opened(result("token/create", members), to: members, .token, by: phone, key)
        let (id, secret) = (try #require(told["tokenId"]?.string), told["tokenSecret"]?.string)
        #expect(secret.flatMap { Base64.decode($0) }?.count == 32)
        let type = try bench.bench.world.database.read { db in
            try db.value(String.self, "SELECT type FROM powerauth_token WHERE id = \(id)")
        }
        #expect(type == "possession_knowledge")
        members["authenticationCodeType"] = "POSSESSION_KNOWLEDGE_BIOMETRY"
        try expect(manage("token/create", members), "ERR0024", "authenticationCodeType")
    }

    @Test(arguments: ["authenticationVersion", "protocolVersion"])
    func `the vault is opened by a right code alone`(_ version: String) throws {
        let phone = try bench.activePhone4()
        let key = try phone.temporaryKey(.activation)
        func handedOn(_ credential: Credential) throws -> (JSONValue, JSONValue) {
            var (members, header, body) = try sent(by: phone, "/pa/v4/vault/unlock") {
                _ = try phone.vaultKey4(.devicePrivate, reason: nil, with: credential)
            }
            let data = [
                "POST", Base64.encode(Array("/pa/vault/unlock".utf8)), header.nonce, Base64.encode(body),
            ]
            members["signedData"] = .string(data.joined(separator: "&"))
            members["authenticationCode"] = .string(header.signature)
            members[version] = "4.0"
            let told = try result("vault/unlock", members)
            return (told, try opened(told, to: members, .vault, by: phone, key))
        }
        let (wrong, nothing) = try handedOn(.pin("9999"))
        #expect(wrong["authenticationValid"] == false && nothing == [:])
        #expect(try bench.stored(phone).failedAttempts == 1)
        let (right, answer) = try handedOn(Self.pin)
        #expect(right["authenticationValid"] == true)
        let own = try phone.vaultKey4(.devicePrivate, reason: nil, with: Self.pin)
        #expect(answer["vaultEncryptionKey"]?.string == Base64.encode(own))
    }

    @Test func `the vault is opened by the factors that the settings say`() throws {
        let phone = try bench.activePhone4()
        _ = try phone.temporaryKey(.activation)
        var (members, header, _) = try sent(by: phone, "/pa/v4/vault/unlock") {
            _ = try phone.vaultKey4(.devicePrivate, reason: nil, with: .possession)
        }
        members["signedData"] = "POST&QQ==&QQ==&"
        members["authenticationCode"] = .string(header.signature)
        members["authenticationVersion"] = "4.0"
        try expect(manage("vault/unlock", members), "ERR0024", "not unlocked by possession")
    }

    @Test func `an activation that is blocked is neither confirmed nor loses its biometry`() throws {
        let phone = try bench.activePhone4(biometry: true)
        let id = JSONValue.string(try #require(phone.activation).id)
        try bench.block(phone)
        for path in ["activation/confirm", "biometry/remove"] {
            try expect(manage(path, ["activationId": id]), "ERR0008", "BLOCKED")
        }
        #expect(try phone.status().flags == .biometryEnabled)
    }
}
