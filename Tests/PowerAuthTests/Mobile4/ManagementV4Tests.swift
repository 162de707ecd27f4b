import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PostQuantum
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

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
        #expect(manage("password/change", .object(members)).text.contains("ERR0047"))
    }

    @Test func `a list of codes tells the version, the algorithm and the format of each`() throws {
        let (third, fourth) = (try bench.activePhone(), try bench.activePhone4(.hybrid3))
        try third.validate(with: Self.pin)
        try fourth.validate(with: Self.pin)
        _ = try result("auth/verify", .object(verification(fourth)))
        let id = JSONValue.string(try #require(fourth.activation).id)
        func check(_ signature: [UInt8], _ type: String) throws {
            _ = try result(
                "dsa/verify",
                [
                    "activationId": id, "data": "QQ==", "signature": .string(Base64.encode(signature)),
                    "signatureType": .string(type),
                ])
        }
        try check(fourth.signWithDeviceKey([65], with: Self.pin), "ECDSA")
        try check([1, 2, 3], "MLDSA")

        let items = try #require(try result("audit/list", ["userId": "ada"])["items"]?.array)
        func column(_ name: String) -> [String?] { items.map { $0[name]?.string } }
        // The confirmation, two codes, the one of the back end, the vault's, and two signatures.
        #expect(
            column("signatureAlgorithm") == [
                "PowerAuth-V4", "PowerAuth-V3", "PowerAuth-V4", "PowerAuth-V4", "PowerAuth-V4", "ECDSA_P384",
                "MLDSA_65",
            ])
        #expect(
            column("signatureFormat") == [
                "BASE64", "BASE64", "BASE64", "BASE64", "BASE64", "DER", "BASE64",
            ])
        #expect(items.map { $0["version"]?.integer } == [4, 3, 4, 4, 4, 4, 4])
        #expect(items.map { $0["valid"]?.boolean } == [true, true, true, true, true, true, false])

        let older = try #require(try result("signature/list", ["userId": "ada"], version: 3)["items"]?.array)
        #expect(older.map { $0["version"]?.integer } == [4, 3, 4, 4, 4])
        #expect(older.allSatisfy { $0["signatureAlgorithm"] == nil && $0["signatureFormat"] == nil })
    }

    @Test(arguments: ["KNOWLEDGE", "BIOMETRY", "POSSESSION_KNOWLEDGE_BIOMETRY"])
    func `factors that protocol 4 does not have are none`(_ type: String) throws {
        var asked = try verification(bench.activePhone4(biometry: true))
        asked["authenticationCodeType"] = .string(type)
        let refused = manage("auth/verify", .object(asked))
        #expect(refused.status == .badRequest && refused.text.contains("ERR0024"))
        #expect(refused.text.contains("authenticationCodeType"))
    }

    @Test func `the server of version 4 says so, and has its own error codes`() throws {
        #expect(try result("status")["version"]?.string?.hasPrefix("2.") == true)
        #expect(try result("status", version: 3)["version"]?.string?.hasPrefix("1.9") == true)
        func codes(_ version: Int) throws -> Set<String> {
            let errors = try #require(try result("error/list", version: version)["errors"]?.array)
            return Set(errors.compactMap { $0["code"]?.string })
        }
        #expect(try codes(4).isSuperset(of: ["ERR0024", "ERR0045", "ERR0046", "ERR0047"]))
        #expect(try codes(4).isDisjoint(with: ["ERR0002", "ERR0025", "ERR0030", "ERR0044"]))
        #expect(try codes(3).isSuperset(of: ["ERR0002", "ERR0025", "ERR0030", "ERR0044"]))
        #expect(try codes(3).isDisjoint(with: ["ERR0046", "ERR0047"]))
    }

    @Test func `an activation tells its signatures and its status`() throws {
        let made = try result("activation/init", ["userId": "ada", "applicationId": "bank"])
        let (id, code) = (try #require(made["activationId"]), try #require(made["activationCode"]?.string))
        let phone = try bench.phone4()
        let points = phone.configuration.masterPoints
        for told in [made, try result("activation/status", ["activationId": id])] {
            let signatures = try #require(told["activationSignatures"]?.object)
            #expect(Set(signatures.keys) == ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5", "LEGACY_P256"])
            for (name, signature) in signatures {
                let scanned = try PowerAuthDevice.ActivationCode(
                    parsing: code + "#" + #require(signature.string))
                #expect(scanned.isSigned(by: points[name == "LEGACY_P256" ? 0 : 1]), "\(name)")
            }
            #expect(told["statusBlob"] == nil)
        }
        #expect(
            try result("activation/status", ["activationId": id], version: 3)["activationSignatures"] == nil)

        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        let told = try result("activation/status", ["activationId": id])
        #expect(told["activationSignatures"] == nil)
        let blob = try #require(told["statusBlob"]?.string.flatMap { Base64.decode($0) })
        let status = try Protocol4.Status(blob, key: phone.requireActivation().ofFourth().statusKey)
        #expect(status.state == 2 && status.flags == 1 && status.lookAhead == 20)
        let third = try bench.activePhone()
        let other = JSONValue.string(try #require(third.activation).id)
        #expect(try result("activation/status", ["activationId": other])["statusBlob"] == nil)
    }

    // “Web Services – Methods V4” lists statusBlob and includeStatusBlob, and neither the challenge nor the encrypted blob of version 3.
    @Test func `version 4 tells the status of protocol 4 alone, and only when it is wanted`() throws {
        let challenge: JSONValue = "AAAAAAAAAAAAAAAAAAAAAA=="
        let third = JSONValue.string(try #require(bench.activePhone().activation).id)
        for id in [third, "nil"] {
            let told = try result("activation/status", ["activationId": id, "challenge": challenge])
            #expect(told["encryptedStatusBlob"] == nil && told["encryptedStatusBlobNonce"] == nil)
            let older = try result(
                "activation/status", ["activationId": id, "challenge": challenge], version: 3)
            #expect(older["encryptedStatusBlob"] != nil && older["encryptedStatusBlobNonce"] != nil)
        }
        let fourth = JSONValue.string(try #require(bench.activePhone4().activation).id)
        func blob(_ wanted: JSONValue) throws -> JSONValue? {
            try result("activation/status", ["activationId": fourth, "includeStatusBlob": wanted])[
                "statusBlob"]
        }
        #expect(try blob(true) != nil && blob(.null) != nil)
        #expect(try blob(false) == nil)
        let refused = manage("activation/status", ["activationId": fourth, "includeStatusBlob": "no"])
        #expect(refused.status == .badRequest && refused.text.contains("ERR0024"))
    }

    @Test func `users of either protocol are active users`() throws {
        _ = try bench.activePhone4()
        let told = try result(
            "telemetry/report", ["name": "CURRENT_MAU", "parameters": ["application": "bank"]])
        #expect(told["reportData"]?["users"] == 1)
    }

    @Test func `an application says which suites it takes`() throws {
        #expect(
            try result("application/detail", ["applicationId": "bank"])["supportedAlgorithms"]
                == ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5", "LEGACY_P256"])
        #expect(try result("application/list")["applications"]?.array?.count == 2)
    }
}
