import Essentials
import HTTP
import PlatformKit
import Testing
import WebAuthn

@testable import Hanko

/// The options of flows, which the classic endpoints do not have.
struct OptionsTests {
    private static let now = Date(timeIntervalSince1970: 1_767_323_045)

    private static let credential = Credential(
        id: "AQID", userID: Ada.id, name: nil, publicKey: "", attestationType: "none", aaguid: "",
        signCount: 0, transports: ["usb", "nfc"], isBackupEligible: false, isBackedUp: false, isMFAOnly: true,
        lastUsedAt: nil, createdAt: now, updatedAt: now)

    private func rules(_ kind: CredentialKind, _ json: String = "{}") throws -> CeremonyRules {
        CeremonyRules(kind, try Configuration(json: json))
    }

    private func publicKey(_ options: some Encodable) throws -> Essentials.JSONValue {
        try #require(Essentials.JSONValue(parsing: Response.hanko(options).bytes)["publicKey"])
    }

    private func creation(
        _ rules: CeremonyRules, excluded: [Credential] = []
    ) throws -> Essentials.JSONValue {
        try publicKey(
            rules.creationOptions(
                [1, 2, 3], for: Ada.id, name: Ada.address, displayName: "ada", excluding: excluded))
    }

    @Test func `a security key need not be discoverable, nor verify anybody, and has two minutes`() throws {
        let options = try creation(rules(.securityKey))

        #expect(
            options["authenticatorSelection"] == [
                "authenticatorAttachment": "cross-platform", "requireResidentKey": false,
                "residentKey": "discouraged", "userVerification": "discouraged",
            ])
        #expect(options["timeout"] == 120_000)
        #expect(options["attestation"] == "direct")
    }

    @Test func `security keys follow the configuration`() throws {
        let options = try creation(
            rules(
                .securityKey,
                """
                {
                    "mfa": {"security_keys": {
                        "authenticator_attachment": "no_preference", "user_verification": "preferred"}},
                    "passkey": {"attestation_preference": "none"}
                }
                """))

        #expect(
            options["authenticatorSelection"] == [
                "requireResidentKey": false, "residentKey": "discouraged", "userVerification": "preferred",
            ])
        #expect(options["timeout"] == 600_000)
        #expect(options["attestation"] == "none")
        let timeouts = "{\"webauthn\": {\"timeouts\": {\"registration\": 5000, \"login\": 6000}}}"
        #expect(try creation(rules(.securityKey, timeouts))["timeout"] == 5000)
        #expect(try rules(.securityKey, timeouts).loginTimeout == 6000)
    }

    @Test func `a user who has credentials is asked for another, with a name of choice`() throws {
        let options = try creation(rules(.passkey), excluded: [Self.credential])

        #expect(
            options["excludeCredentials"] == [
                ["id": "AQID", "type": "public-key", "transports": ["usb", "nfc"]]
            ])
        #expect(options["user"]?["displayName"] == "ada")
        #expect(options["user"]?["name"] == .string(Ada.address))
        #expect(options["authenticatorSelection"]?["authenticatorAttachment"] == nil)
    }

    @Test func `security keys are asked for with their transports`() throws {
        let options = try publicKey(
            rules(.securityKey).requestOptions(
                [1, 2, 3], allowing: [Self.credential], tellsTransports: true))

        #expect(
            options == [
                "challenge": "AQID", "rpId": "localhost", "timeout": 120_000,
                "userVerification": "discouraged",
                "allowCredentials": [["id": "AQID", "type": "public-key", "transports": ["usb", "nfc"]]],
            ])
    }
}
