import Essentials
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Names and values as the original's library reads them. Source: Hanko, `backend/config`; kelseyhightower/envconfig.
struct EnvironmentTests {
    @Test func `variables are members of the configuration`() throws {
        let read = EnvironmentVariables.configuration([
            "HANKO_WEBAUTHN_RELYING_PARTY_ORIGINS": "http://localhost:3000,http://localhost:8888",
            "HANKO_EMAIL_PASSCODETTL": "60", "HANKO_PASSWORD_ENABLED": "T", "HANKO_SERVICE_NAME": "1",
            "HANKO_THIRD_PARTY_PROVIDERS_GOOGLE_CLIENT_ID": "g", "HANKO_URL": "x", "SERVICE_NAME": "y",
            "PATH": "/bin",
        ])
        let expected: JSON = [
            "webauthn": ["relying_party": ["origins": ["http://localhost:3000", "http://localhost:8888"]]],
            "email": ["passcode_ttl": 60], "password": ["enabled": true], "service": ["name": "1"],
            "third_party": ["providers": ["google": ["client_id": "g"]]],
        ]
        let config = try #require(read)
        #expect(config == expected)
        #expect(EnvironmentVariables.configuration(["HANKO_URL": "x"]) == nil)
    }

    @Test func `every variable is a member that the fixtures take`() throws {
        for (name, member) in EnvironmentVariables.members {
            let values: [EnvironmentVariables.Kind: [String]] = [
                .flag: ["true"], .number: ["50", "1"], .list: ["https://a.example"],
                .text: [
                    "text", "1h", "always", "lax", "preferred", "none", "platform", "https://a.example",
                    "numeric", "direct", "persistent", "noreply@a.example", "conditional", "prompt",
                    "cross-platform",
                ],
            ]
            let taken = (values[member.kind] ?? []).contains { text in
                guard let config = EnvironmentVariables.configuration(["HANKO_" + name: text]) else {
                    return false
                }
                let set = try? TestBench(Hanko.self, fixtures: "{\"hanko\": {\"config\": \(config.text)}}")
                return set != nil
            }
            #expect(taken, "\(name)")
        }
    }

    @Test func `what does not fit is refused with its place`() throws {
        let config = try #require(EnvironmentVariables.configuration(["HANKO_PASSWORD_ENABLED": "maybe"]))
        let error = #expect(throws: FixtureError.self) {
            try TestBench(Hanko.self, fixtures: "{\"hanko\": {\"config\": \(config.text)}}")
        }
        #expect(error?.field == "hanko.config.password.enabled")
    }
}
