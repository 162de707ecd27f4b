import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct MobileLifeTests {
    static let phones = Device.Version.allCases.flatMap { version in
        [DeviceStyle.ios, .android].map { (version, $0) }
    }

    @Test(arguments: phones)
    func `a device lives from the code to its removal`(_ version: Device.Version, _ style: DeviceStyle) throws
    {
        let bench = try MobileBench(
            settings: #""unlocks_vault_by_biometry": true"#,
            mobile: #""user_claims": {"ada": {"given_name": "Ada", "email_verified": true}}"#)
        let phone = try bench.phone(version, style: style)
        let (id, code) = try bench.register()

        let result = try phone.activate(
            .init(.code(code), name: "Ada's phone", deviceInfo: "model 1", customAttributes: ["a": 1]),
            pin: MobileBench.pin)
        #expect(result.activationID == id)
        #expect(result.customAttributes == ["a": 1])
        #expect(result.userInfo == ["sub": "ada", "given_name": "Ada", "email_verified": true])
        let waiting = try bench.stored(id)
        let fingerprint = try Fingerprint.digits(
            device: .init(x962: #require(waiting.devicePoint).bytes), activationID: id,
            server: .init(x962: waiting.serverPoint))
        #expect(result.fingerprint == fingerprint)
        #expect(waiting.name == "Ada's phone" && waiting.platform == style.platform.rawValue)
        #expect(try phone.status().state == .pendingCommit)

        try bench.commit(id)
        #expect(try phone.status().state == .active)
        for credential in [
            Credential.possession, .pin(MobileBench.pin), .biometry, .pinAndBiometry(MobileBench.pin),
        ] { try phone.validate(with: credential) }
        for method in ["GET", "PUT", "DELETE"] { try phone.validate(method, with: .pin(MobileBench.pin)) }

        #expect(try phone.userInfo() == ["sub": "ada", "given_name": "Ada", "email_verified": true])
        try phone.createToken("strong", with: .pin(MobileBench.pin))
        #expect(try phone.activationName(token: "strong") == "Ada's phone")
        #expect(try phone.renameActivation("Another", with: .biometry) == "Another")
        try phone.unlockVault(reason: "ADD_BIOMETRY", with: .pin(MobileBench.pin))
        try phone.unlockVault(reason: nil, with: .biometry)
        try phone.removeToken("strong")

        try phone.removeActivation(with: .pin(MobileBench.pin))
        #expect(try bench.stored(id).state == .removed)
        #expect(bench.bench.reports.lines == [])
    }

    @Test func `the version is one of each request`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(.v31)
        try phone.createToken("old", with: .pin(MobileBench.pin))

        for version in Device.Version.allCases {
            phone.version = version
            try phone.validate(with: .pin(MobileBench.pin))
            #expect(try phone.activationName(token: "old") == nil)
        }
    }

    @Test func `the server tells its time to whoever asks, with any body`() throws {
        let bench = try MobileBench()
        for body in ["", "{}", "{\"requestObject\":{}}"] {
            let response = bench.bench.post("/enrollment-server/pa/v3/status", raw: body)
            #expect(
                response.text
                    == #"{"status":"OK","responseObject":{"application":{"name":"understudy","version":"1.9.0"},"serverTime":1767323045000}}"#
            )
        }
    }

    @Test func `the mobile API is at the root of its host name as well`() throws {
        let bench = try MobileBench()
        let response = bench.bench.post(
            "/pa/v3/status", raw: "{}", headers: ["Host": "enrollment-server.localhost:8420"])
        #expect(response.status == .ok)
    }

    @Test func `upgrades are refused, since everything is of version 3`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        bench.expectRefusal(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "of version 3 already")
        {
            _ = try phone.startUpgrade()
        }
        bench.expectRefusal(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "of version 3 already")
        {
            try phone.commitUpgrade()
        }
        phone.faults.breaksSignature = true
        bench.expectUnsigned(because: "is wrong") { try phone.commitUpgrade() }
        phone.faults = .init()
        phone.faults.breaksMAC = true
        bench.expectRefusal(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "The mac of the") {
            _ = try phone.startUpgrade()
        }
    }

    @Test func `removal asks for two factors, and says so`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_TYPE_INVALID",
            because: "does not accept possession, only possession_biometry, possession_knowledge, "
                + "possession_knowledge_biometry; the code was not checked and costs no attempt."
        ) { try phone.removeActivation(with: .possession) }
        bench.expectUnsigned(because: "the PIN is wrong") {
            try phone.removeActivation(with: .pin("0000"))
        }
        _ = try phone.send(.init("/pa/v3/activation/remove"))
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID",
            because: "The header X-PowerAuth-Authorization is missing.")
        #expect(try bench.stored(phone).state == .active)
    }

    // Source: PowerAuth documentation, generation 2, “Standard RESTful API”.
    @Test func `a server of the second generation speaks of codes`() throws {
        let bench = try MobileBench(settings: #""server_generation": "2.x""#)
        let phone = try bench.activePhone()
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_TYPE_INVALID", because: "does not accept possession"
        ) { try phone.removeActivation(with: .possession) }
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "the PIN is wrong"
        ) { try phone.removeActivation(with: .pin("0000")) }
        phone.faults.breaksMAC = true
        bench.expectRefusal(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", because: "The mac of the") {
            _ = try phone.startUpgrade()
        }
    }
}
