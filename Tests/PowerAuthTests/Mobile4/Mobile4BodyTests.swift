import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

/// Bodies whose members are of another kind than they should be: refused, and never taken for nothing.
@Suite struct Mobile4BodyTests {
    private static let pin = Credential.pin(MobileBench.pin)

    /// What is missing altogether is another matter than a member that may be left out.
    @Test(arguments: [
        ("", "The body is not"), ("x", "The body is not"), ("[]", "Expected a JSON object"),
        ("{}", "requestObject"), (#"{"requestObject":null}"#, "requestObject"),
        (#"{"requestObject":7}"#, "requestObject"), (#"{"enableBiometry":true}"#, "requestObject"),
        (#"{"requestObject":{"enableBiometry":"true"}}"#, "enableBiometry"),
        (#"{"requestObject":{"enableBiometry":1}}"#, "enableBiometry"),
    ])
    func `a confirmation that cannot be read confirms nothing`(_ body: String, _ says: String) throws {
        let bench = try MobileBench()
        let phone = try bench.phone4()
        try phone.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)

        let refused = try confirm(phone, body)
        #expect(refused.status == 400)
        #expect(try JSONValue(parsing: refused.body)["responseObject"]?["code"] == "ERR_VALIDATION")
        #expect(bench.explanation.contains(says), "\(bench.explanation)")
        let status = try phone.status()
        #expect(status.flags == .confirmationPending && status.counterDistance == 0)
        try phone.confirmActivation(pin: MobileBench.pin)
        #expect(try phone.status().flags == .biometryEnabled)
    }

    @Test(arguments: [#"{"requestObject":{}}"#, #"{"requestObject":{"enableBiometry":null,"more":1}}"#])
    func `a confirmation may leave biometry out`(_ body: String) throws {
        let bench = try MobileBench()
        let phone = try bench.phone4()
        try phone.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)
        #expect(try confirm(phone, body).status == 200)
        #expect(try phone.status().flags == [])
    }

    private func confirm(_ phone: Device, _ body: String) throws -> DeviceResponse {
        try phone.signedRequest(
            "/pa/v4/activation/confirm", body: Array(body.utf8), uriID: "/pa/activation/confirm",
            with: Self.pin)
    }

    @Test(arguments: [
        ("x", 400), ("[]", 400), (#"{"requestObject":[]}"#, 400),
        (#"{"requestObject":{"applicationKey":7}}"#, 400), ("", 200), ("{}", 200),
        (#"{"requestObject":{"applicationKey":null}}"#, 200),
    ])
    func `the status of the server reads what it is asked`(_ body: String, _ status: Int) throws {
        let bench = try MobileBench()
        let response = bench.bench.post("/enrollment-server/pa/v4/status", raw: body)
        #expect(response.status.code == status)
        #expect(response.text.contains("ERR_VALIDATION") == (status == 400))
    }

    @Test(arguments: [
        (#"{"a":1}"#, "activationName"), ("[1]", "deviceInfo"), (#"["1234"]"#, "activationOtp"),
    ])
    func `what a device says of itself is of the right kind`(_ value: String, _ name: String) throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register(.onKeyExchange)
        for phone in [try bench.phone4(), try bench.phone()] {
            phone.faults.plaintext = bending(.keyExchange, name, value)
            bench.expectRefusal(
                400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: name
            ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
        }
        #expect(try bench.stored(id).state == .created)
    }

    /// As to the real parser, where a text is asked for.
    @Test func `numbers count as they are written`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register(otp: "1234", .onKeyExchange)
        let phone = try bench.phone4()
        phone.faults.plaintext = bending(.keyExchange, "activationOtp", "1234")
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        #expect(try bench.stored(id).state == .active)
    }

    @Test(arguments: [
        ("customAttributes", "[1]"), ("identityAttributes", #"{"code":{"a":1}}"#),
        ("identityAttributes", #"["x"]"#),
    ])
    func `who asks says so in the right kind`(_ name: String, _ value: String) throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register(.onKeyExchange)
        let phone = try bench.phone4()
        phone.faults.plaintext = bending(.application, name, value)
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: name
        ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
        #expect(try bench.stored(id).state == .created)
    }

    @Test(arguments: [#""yes""#, "1", "[]"])
    func `an upgrade whose wish for biometry cannot be read is refused`(_ value: String) throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        let former = try bench.activePhone()
        let phone = try bench.phone4()
        phone.activation = former.activation
        phone.faults.plaintext = bending(.upgradeStart, "enableBiometry", value)
        bench.expectRefusal(
            400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "enableBiometry"
        ) { try phone.upgradeToProtocol4(pin: MobileBench.pin) }
        #expect(try bench.stored(phone).generation == 3)
    }

    /// What is encrypted for that purpose has another member.
    private func bending(
        _ purpose: Purpose, _ name: String, _ value: String
    ) -> @Sendable (Purpose, [UInt8]) throws -> [UInt8] {
        { asked, plaintext in
            guard asked == purpose else { return plaintext }
            var members = try #require(try JSONValue(parsing: plaintext).object)
            members[name] = try JSONValue(parsing: Array(value.utf8))
            return JSONValue.object(members).bytes
        }
    }

    @Test(arguments: [
        #"{"requestObject":{"onlyUnread":"true"}}"#, #"{"requestObject":[]}"#, #"{"requestObject":"x"}"#,
    ])
    func `what the inbox is asked is of the right kind`(_ body: String) throws {
        let bench = try MobileBench()
        for phone in [try bench.activePhone(), try bench.activePhone4()] {
            try phone.createToken("mine")
            let response = try phone.send(
                DeviceRequest(
                    "/api/inbox/message/list", headers: [("X-PowerAuth-Token", phone.tokenHeader("mine"))],
                    body: Array(body.utf8)))
            #expect(response.status == 400)
            #expect(
                try JSONValue(parsing: response.body)["responseObject"]?["code"] == "INVALID_REQUEST")
        }
    }

    /// One path speaks one protocol, and says so where the activation speaks the other.
    @Test func `paths of 3 say that an activation speaks 4`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        let id = try #require(phone.activation).id
        let status = bench.bench.post(
            "/enrollment-server/pa/v3/activation/status",
            raw: #"{"requestObject":{"activationId":"\#(id)"}}"#)
        #expect(status.status == .ok && bench.explanation.contains("speaks protocol 4.0"))

        let former = try bench.activePhone()
        former.activation = try former.activation.map { try renamed($0, id) }
        for version in [Device.Version.v32, .v33] {
            former.version = version
            former.temporaryKeys = [:]
            #expect(throws: ServerRefusal.self) { try former.userInfo() }
            #expect(
                bench.explanation.contains("speaks protocol 4, the request 3"), "\(bench.explanation)")
        }
    }

    /// The same keys under another name.
    private func renamed(_ activation: PowerAuthDevice.Activation, _ id: String) throws
        -> PowerAuthDevice.Activation
    {
        var members = try JSONDecoder().decode(
            [String: JSONValue].self, from: JSONEncoder().encode(activation))
        members["id"] = .string(id)
        return try JSONDecoder().decode(
            PowerAuthDevice.Activation.self, from: JSONEncoder().encode(members))
    }
}
