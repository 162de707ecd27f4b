import Essentials
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct MobileFixtureTests {
    @Test func `a world that was used goes on after its export is loaded`() throws {
        let bench = try MobileBench(
            application: "\"offers_recovery\": true,", mobile: #""user_claims": {"ada": {"name": "Ada"}}"#)
        let phone = try bench.activePhone()
        try phone.createToken("t", with: .pin(MobileBench.pin))
        let worlds = bench.bench.worlds
        let exported = try worlds.export(bench.bench.world)

        try worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)
        #expect(try worlds.export(bench.bench.world) == exported)
        // They are not exported; a device fetches another one.
        phone.temporaryKeys = [:]
        #expect(String(decoding: exported, as: UTF8.self).contains("recovery_codes"))
        #expect(try phone.activationName(token: "t") == nil)
        #expect(try phone.userInfo() == ["sub": "ada", "name": "Ada"])
    }

    @Test func `what does not fit is named with its place`() throws {
        let code = #""code": "MMMMM-MMMMM-MMMMM-MUTOA""#
        let cases = [
            (
                #""tokens": [{"id": "x", "activation": "a", "secret": "", "type": "possession"}]"#,
                "mobile.tokens[0].activation"
            ),
            (
                #""recovery_codes": [{\#(code), "application": "none", "user": "u", "state": "ACTIVE", "puks": []}]"#,
                "mobile.recovery_codes[0].application"
            ),
            (
                #""recovery_codes": [{"code": "AAAAA", "application": "bank", "user": "u", "state": "ACTIVE", "puks": []}]"#,
                "mobile.recovery_codes[0].code"
            ),
            (
                #""recovery_codes": [{\#(code), "application": "bank", "user": "u", "state": "ACTIVE", "puks": [{"value": "1", "state": "VALID"}]}]"#,
                "mobile.recovery_codes[0].puks[0].value"
            ),
            (
                #""recovery_codes": [{\#(code), "application": "bank", "user": "u", "state": "NEW", "puks": []}]"#,
                "mobile.recovery_codes[0].state"
            ),
        ]
        for (section, field) in cases {
            do {
                _ = try MobileBench(mobile: section)
                Issue.record("\(section) was loaded")
            } catch let error as FixtureError {
                #expect(error.field == "powerauth." + field)
            }
        }
    }
}
