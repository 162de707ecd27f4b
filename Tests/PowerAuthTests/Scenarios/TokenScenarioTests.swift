import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// A token on the request that starts a login: “Implement Login in Mobile Apps”, the hardening by MAC tokens.
@Suite struct TokenScenarioTests {
    private static let name = "LoginToken"

    private func verify(_ stage: Stage, _ header: String) throws -> JSONValue {
        try stage.backEnd(.post, "/v2/token/verify", ["authHeader": .string(header)])
    }

    /// The back end's question is refused: a header that is out of its time, or was verified before.
    private func expectRefused(
        _ stage: Stage, _ header: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let response = stage.cloud(.post, "/v2/token/verify", ["authHeader": .string(header)])
        #expect(response.status.code == 400, sourceLocation: sourceLocation)
        let code = try JSONValue(parsing: response.bytes)["responseObject"]?["code"]
        #expect(code == "ERROR_TOKEN_INVALID", sourceLocation: sourceLocation)
    }

    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `T1 to T4: the back end hears whose token it is`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version, style: style, flags: ["VIP"])
        try phone.createToken(Self.name)
        let first = try verify(stage, phone.tokenHeader(Self.name))
        #expect(first["tokenValid"] == true)
        #expect(first["userId"] == "eva")
        #expect(first["registrationId"]?.string == phone.activation?.id)
        #expect(first["registrationStatus"] == "ACTIVE")
        #expect(first["signatureType"] == "possession")
        #expect(first["flags"] == ["VIP"])
        #expect(first["application"] == ["id": "my-app", "roles": ["ROLE_RETAIL", "ROLE_LOGIN"]])

        let second = try verify(stage, phone.tokenHeader(Self.name))
        #expect(second["tokenValid"] == true)
        #expect(second["registrationId"] == first["registrationId"])
        #expect(second["userId"] == first["userId"])
    }

    @Test(arguments: Device.Version.allCases)
    func `T5: the token of a blocked or removed registration is not valid`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        try phone.createToken(Self.name)
        try stage.change(phone, "BLOCK")
        let blocked = try verify(stage, phone.tokenHeader(Self.name))
        #expect(blocked["tokenValid"] == false)
        #expect(blocked["registrationStatus"] == "BLOCKED")
        try stage.change(phone, "UNBLOCK")
        #expect(try verify(stage, phone.tokenHeader(Self.name))["tokenValid"] == true)

        let header = try phone.tokenHeader(Self.name)
        try phone.removeActivation(with: .pin(Stage.pin))
        #expect(try verify(stage, header)["tokenValid"] == false)
    }

    @Test(arguments: Device.Version.allCases)
    func `T5: a stale header, one of the future, and one that comes again are refused`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        try phone.createToken(Self.name)
        for (shift, isRefused) in [(-7_201_000, true), (-7_199_000, false), (1_801_000, true)] {
            phone.faults.timeShift = shift
            let header = try phone.tokenHeader(Self.name)
            phone.faults.timeShift = 0
            if isRefused {
                try expectRefused(stage, header)
            } else {
                #expect(try verify(stage, header)["tokenValid"] == true)
            }
        }
        let header = try phone.tokenHeader(Self.name)
        #expect(try verify(stage, header)["tokenValid"] == true)
        try expectRefused(stage, header)
    }

    @Test(arguments: Device.Version.allCases)
    func `a wrong digest, or a token that was removed, is not valid and costs nothing`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        var token = try phone.createToken(Self.name)
        token.secret[0] ^= 1
        phone.tokens["wrong"] = token
        #expect(try verify(stage, phone.tokenHeader("wrong"))["tokenValid"] == false)
        #expect(try phone.status().failedAttempts == 0)

        let header = try phone.tokenHeader(Self.name)
        try phone.removeToken(Self.name)
        #expect(try verify(stage, header) == ["tokenValid": false])
    }

    @Test(arguments: Device.Version.allCases)
    func `a token's digest is that of the version of its header`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        try phone.createToken(Self.name)
        for other in Device.Version.allCases {
            phone.version = other
            #expect(try verify(stage, phone.tokenHeader(Self.name))["tokenValid"] == true)
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `the detail of an activation asks for a token of two factors`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        try phone.createToken("one")
        try phone.createToken("pin", with: .pin(Stage.pin))
        try phone.createToken("finger", with: .biometry)
        expect(.signature) { _ = try phone.activationName(token: "one") }
        #expect(try phone.activationName(token: "pin") == "Eva's phone")
        #expect(try phone.activationName(token: "finger") == "Eva's phone")
        expect(.signature) { try phone.createToken("x", with: .pin("0000")) }
    }

    @Test(arguments: Device.Version.allCases)
    func `somebody else's token is not removed`(_ version: Device.Version) throws {
        let stage = try Stage()
        let (eva, carl) = (
            try stage.makeActivePhone(version), try stage.makeActivePhone(version, user: "carl")
        )
        let token = try eva.createToken(Self.name)
        carl.tokens["hers"] = token
        try carl.removeToken("hers")
        #expect(try verify(stage, eva.tokenHeader(Self.name))["tokenValid"] == true)
    }
}
