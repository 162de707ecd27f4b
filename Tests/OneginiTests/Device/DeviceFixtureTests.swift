import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

@Suite struct DeviceFixtureTests {
    private static let device = """
        {
            "client_id": "D0", "client_secret": "S0", "application": "com.example.app", "platform": "ios",
            "version": "1.0.0", "name": "Phone",
            "profiles": [{"profile_id": "W8DUJ2", "sub": "ada", "pin": "13524", "failures": 2}],
            "removed_profiles": ["OLD001"],
        }
        """

    @Test func `an export is loaded again as the same state`() throws {
        let bench = try TestBench<Onegini>.devices(
            section: #""devices": [\#(Self.device)], "enrollment": {"unique_keys": true},"#)
        let phone = try bench.registeredUser()
        try bench.enroll(phone)
        _ = try bench.put(
            bench.sdk("/mobile-auth/push"), ["profile_id": phone.profile, "push_token": "token"],
            headers: phone.user)
        _ = try bench.post(
            bench.sdk("/mobile-auth/enrollments"), ["profile_id": phone.profile], headers: phone.user)
        _ = try bench.challenge()
        let gone = try bench.registeredUser("grace")
        _ = bench.delete(bench.sdk("/clients/self"), headers: gone.headers)

        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)

        #expect(try bench.worlds.export(bench.world) == exported)
        let validated = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: gone.headers)
        #expect(validated.fields["sdk_code"] == "9002")
    }

    @Test func `a device of the fixtures logs in with its PIN`() throws {
        let bench = try TestBench<Onegini>.devices(section: #""devices": [\#(Self.device)],"#)
        let phone = Phone(id: "D0", secret: "S0")

        let response = try bench.post(
            bench.sdk("/profiles/W8DUJ2/login"), ["pin": "13524"], headers: phone.headers)

        #expect(response.status == .ok, "\(response.text)")
        let validated = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: phone.headers)
        #expect(try JSONValue(parsing: validated.bytes)["removed_profiles"] == ["OLD001"])
    }

    @Test(arguments: [
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "none", "platform": "ios", "version": "1"}],"#,
            "application"
        ),
        (
            #""devices": [{"client_id": "D0", "application": "com.example.app", "platform": "ios", "version": "1"}],"#,
            "no client"
        ),
        (#""devices": [\#(device), \#(device)],"#, "twice"),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "ios", "version": "1", "profiles": [{"profile_id": "x", "sub": "ada"}]}],"#,
            "A-Z"
        ),
    ])
    func `a mistake in the fixtures is told`(section: String, words: String) {
        do {
            _ = try TestBench<Onegini>.devices(section: section)
            Issue.record("the fixtures were taken")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }
}
