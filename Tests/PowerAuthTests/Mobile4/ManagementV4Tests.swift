import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PostQuantum
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

/// Version 4 of the management API. Source: documentation of the PowerAuth Server 2.x.
@Suite struct ManagementV4Tests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    private func manage(_ path: String, _ object: JSONValue = [:], version: Int = 4) -> Response {
        bench.bench.post(
            "/powerauth-java-server/rest/v\(version)/\(path)",
            raw: JSONValue.object(["requestObject": object]).text)
    }

    private func result(_ path: String, _ object: JSONValue = [:], version: Int = 4) throws -> JSONValue {
        let response = manage(path, object, version: version)
        #expect(response.status == .ok, "\(path): \(response.text)")
        return try #require(try JSONValue(parsing: response.bytes)["responseObject"])
    }

    /// What a server in front of this one sends of a header.
    private func verification(_ phone: Device, _ version: String = "4.0") throws -> [String: JSONValue] {
        let header = try phone.authorization(uriID: "/login", body: [], with: Self.pin)
        func member(_ name: String) throws -> String {
            let part = try #require(header.split(separator: ", ").first { $0.contains(name + "=\"") })
            return try String(#require(part.split(separator: "\"").last))
        }
        let data = ["POST", Base64.encode(Array("/login".utf8)), try member("pa_nonce"), ""]
        return [
            "activationId": .string(try #require(phone.activation).id),
            "applicationKey": .string(MobileBench.key), "data": .string(data.joined(separator: "&")),
            "authenticationCode": .string(try member("pa_auth_code")),
            "authenticationCodeType": "POSSESSION_KNOWLEDGE", "authenticationVersion": .string(version),
        ]
    }

    @Test func `a code is verified by the names of version 4`() throws {
        let phone = try bench.activePhone4()
        let told = try result("auth/verify", .object(verification(phone)))
        #expect(told["authenticationValid"] == true)
        #expect(told["authenticationCodeType"] == "POSSESSION_KNOWLEDGE")
        #expect(told["signatureValid"] == nil && told["signatureType"] == nil)
        let listed = try result("audit/list", ["userId": "ada"])["items"]?.array?.last
        #expect(listed?["authenticationVersion"] == "4.0" && listed?["version"] == 4)
        #expect(listed?["authenticationCode"]?.string?.count == 88)

        var older = try verification(phone)
        older["signatureVersion"] = older.removeValue(forKey: "authenticationVersion")
        let refused = manage("auth/verify", .object(older))
        #expect(refused.status == .badRequest && refused.text.contains("ERR0024"))
        #expect(refused.text.contains("authenticationVersion") && !refused.text.contains("signatureVersion"))
        #expect(manage("signature/verify", .object(older)).status == .notImplemented)
    }

    @Test func `operations and templates have types of codes`() throws {
        let template: JSONValue = [
            "templateName": "login", "operationType": "login", "dataTemplate": "A2", "maxFailureCount": 5,
            "expiration": 300, "authenticationCodeType": ["POSSESSION_KNOWLEDGE"],
        ]
        #expect(
            try result("operation/template/create", template)["authenticationCodeType"] == [
                "POSSESSION_KNOWLEDGE"
            ])
        let made = try result(
            "operation/create",
            [
                "userId": "ada", "applications": ["bank"], "templateName": "login",
                "parameters": ["signatureType": "as it came"],
            ])
        #expect(made["authenticationCodeType"] == ["POSSESSION_KNOWLEDGE"])
        #expect(made["parameters"]?["signatureType"] == "as it came")
        let id = try #require(made["id"])
        #expect(
            try result("operation/detail", ["operationId": id], version: 3)["signatureType"] == [
                "POSSESSION_KNOWLEDGE"
            ])
    }

    @Test func `an activation is confirmed, and loses its biometry`() throws {
        let phone = try bench.phone4()
        let (id, code) = try bench.register(.onKeyExchange)
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        #expect(try result("activation/status", ["activationId": .string(id)])["confirmationPending"] == true)
        #expect(try result("activation/status", ["activationId": .string(id)])["version"] == 4)
        _ = try result("activation/confirm", ["activationId": .string(id), "enableBiometry": true])
        #expect(
            try result("activation/status", ["activationId": .string(id)])["confirmationPending"] == false)
        try phone.validate(with: .biometry)
        _ = try result("biometry/remove", ["activationId": .string(id)])
        #expect(try phone.status().flags == [])

        let third = try bench.activePhone()
        let refused = manage("biometry/remove", ["activationId": .string(try #require(third.activation).id)])
        #expect(refused.text.contains("ERR0024") && refused.text.contains("speaks protocol 3, not 4"))
        #expect(manage("activation/confirm", ["activationId": "nobody"]).text.contains("ERR0009"))
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `the keys of both sides sign`(_ algorithm: Protocol4.Algorithm) throws {
        let phone = try bench.activePhone4(algorithm)
        let id = JSONValue.string(try #require(phone.activation).id)
        let data = Array("contract".utf8)
        func isValid(_ signature: [UInt8], _ type: String) throws -> JSONValue? {
            try result(
                "dsa/verify",
                [
                    "activationId": id, "data": .string(Base64.encode(data)),
                    "signature": .string(Base64.encode(signature)), "signatureType": .string(type),
                ])["signatureValid"]
        }
        #expect(try isValid(phone.signWithDeviceKey(data, with: Self.pin), "ECDSA") == true)
        #expect(try isValid(phone.signWithDeviceKey(data + [0], with: Self.pin), "ECDSA") == false)
        let made = try result("dsa/sign", ["activationId": id, "data": .string(Base64.encode(data))])
        let own = try #require(made["signature"]?.string.flatMap { Base64.decode($0) })
        #expect(try phone.isSignedByServer(data, own, by: .activation))
        #expect((made["signatureMldsa"] != nil) == (algorithm != .p384))
        guard algorithm != .p384 else {
            #expect(throws: DeviceError.self) { try phone.secondDeviceSignature(of: data, with: Self.pin) }
            return
        }
        #expect(try isValid(phone.secondDeviceSignature(of: data, with: Self.pin), "MLDSA") == true)
        #expect(try isValid(phone.secondDeviceSignature(of: data + [0], with: Self.pin), "MLDSA") == false)
    }

    @Test func `a request for another PIN is handed on`() throws {
        let phone = try bench.activePhone4()
        _ = try phone.temporaryKey(.activation)
        bench.refuses = "/pa/v4/password/change"
        #expect(throws: ServerRefusal.self) { try phone.changePIN(from: MobileBench.pin, to: "8642") }
        let sent = try #require(phone.lastRequest)
        var members = try #require(JSONValue(parsing: sent.body).object)
        members["activationId"] = .string(try #require(phone.activation).id)
        members["applicationKey"] = .string(MobileBench.key)
        members["protocolVersion"] = "4.0"
        let told = try result("password/change", .object(members))
        #expect(told["encryptedData"]?.string != nil && told["timestamp"]?.integer != nil)
        // The same once more is a replay; the key is not told.
        #expect(manage("password/change", .object(members)).status == .badRequest)
        members["protocolVersion"] = "3.3"
        #expect(manage("password/change", .object(members)).text.contains("ERR0024"))
    }

    @Test func `an application says which suites it takes`() throws {
        #expect(
            try result("application/detail", ["applicationId": "bank"])["supportedAlgorithms"]
                == ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5", "LEGACY_P256"])
        #expect(try result("application/list")["applications"]?.array?.count == 2)
    }
}
