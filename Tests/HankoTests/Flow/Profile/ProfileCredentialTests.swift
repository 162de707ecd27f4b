import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// Passkeys and security keys.
struct ProfileCredentialTests {
    @Test func `a passkey is added`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device())
        #expect(client.inputs(of: "webauthn_credential_create") == [:])

        try client.run("webauthn_credential_create")
        #expect(client.state == "webauthn_credential_verification")
        #expect(client.actions == ["back", "webauthn_verify_attestation_response"])
        #expect(
            client.inputs(of: "webauthn_verify_attestation_response") == [
                "public_key": ["name": "public_key", "type": "json", "required": true]
            ])
        let options = try #require(client.payload["creation_options"]?["publicKey"])
        let challenge = try #require(options["challenge"]?.string)
        #expect(Base64URL.decode(challenge)?.count == 32)
        #expect(
            options == [
                "rp": ["name": "Hanko Authentication Service", "id": "localhost"],
                "user": [
                    "id": .string(Base64URL.encode(try #require(UUIDText.bytes(of: Ada.id)))),
                    "name": .string(Ada.address), "displayName": .string(Ada.address),
                ],
                "challenge": .string(challenge),
                "pubKeyCredParams": .array(
                    [-7, -35, -36, -257, -258, -259, -37, -38, -39, -8].map {
                        ["type": "public-key", "alg": .integer($0)]
                    }),
                "timeout": 600_000,
                "authenticatorSelection": [
                    "requireResidentKey": true, "residentKey": "required", "userVerification": "preferred",
                ],
                "attestation": "direct",
            ])

        let credential = try device.create(client)
        try client.run("webauthn_verify_attestation_response", ["public_key": credential])
        client.expectProfile()
        let stored = try #require(try bench.requireAda().passkeys.first)
        #expect(stored.id == credential["id"]?.string)
        #expect(stored.attestationType == "packed")
        #expect(try bench.requireAda().securityKeys.isEmpty)
        #expect(
            client.payload["user"]?["passkeys"] == [
                [
                    "id": .string(stored.id), "public_key": .string(stored.publicKey),
                    "attestation_type": "packed", "aaguid": "00000000-0000-0000-0000-000000000000",
                    "last_used_at": "2026-01-02T03:04:05Z", "created_at": "2026-01-02T03:04:05Z",
                    "transports": ["internal", "hybrid"], "backup_eligible": false, "backup_state": false,
                    "mfa_only": false,
                ]
            ])
        #expect(client.actions.contains("webauthn_credential_rename"))
    }

    @Test func `the credential may come as text`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device())

        try client.run("webauthn_credential_create")
        let credential = try device.create(client)
        try client.run("webauthn_verify_attestation_response", ["public_key": .string(credential.text)])
        client.expectProfile()
        #expect(try bench.requireAda().passkeys.count == 1)
    }

    @Test func `options carry the username and exclude what is there`() throws {
        let bench = try TestBench.profile(
            ada: AdaHas.email, AdaHas.username, AdaHas.credentials(passkeys: 1, securityKeys: 1))
        var client = try bench.profileFlow()

        try client.run("webauthn_credential_create")
        let options = client.payload["creation_options"]?["publicKey"]
        #expect(options?["user"]?["name"]?.string == Ada.address)
        #expect(options?["user"]?["displayName"] == "ada")
        #expect(
            options?["excludeCredentials"] == [
                ["type": "public-key", "id": "cGFzc2tleTE0"], ["type": "public-key", "id": "c2VjdXJpdHk0"],
            ])
    }

    @Test func `a security key is added`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device { $0.isUserVerified = false })

        try client.run("security_key_create")
        #expect(client.state == "webauthn_credential_verification")
        let options = client.payload["creation_options"]?["publicKey"]
        #expect(
            options?["authenticatorSelection"] == [
                "authenticatorAttachment": "cross-platform", "requireResidentKey": false,
                "residentKey": "discouraged", "userVerification": "discouraged",
            ])
        #expect(options?["timeout"] == 120_000)
        #expect(options?["attestation"] == "direct")

        try client.run("webauthn_verify_attestation_response", ["public_key": device.create(client)])
        client.expectProfile()
        #expect(try bench.requireAda().securityKeys.count == 1)
        #expect(try bench.requireAda().passkeys.isEmpty)
        #expect(client.payload["user"]?["security_keys"]?.array?.first?["mfa_only"] == true)
        #expect(client.payload["user"]?["passkeys"] == nil)
    }

    @Test func `a security key is added where passkeys are disabled`() throws {
        let bench = try TestBench.profile(config: #""passkey": {"enabled": false}"#)
        var (client, device) = (try bench.profileFlow(), Device())
        #expect(bench.suspends("webauthn_credential_create", because: "passkey.enabled is false"))

        try client.run("security_key_create")
        try client.run("webauthn_verify_attestation_response", ["public_key": device.create(client)])
        client.expectProfile()
        #expect(try bench.requireAda().securityKeys.count == 1)
    }

    @Test func `back leads to the profile, and the next options are others`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device())

        try client.run("webauthn_credential_create")
        let old = try device.create(client)
        try client.run("back")
        client.expectProfile()
        try client.run("webauthn_credential_create")
        try client.run("webauthn_verify_attestation_response", ["public_key": old])
        #expect(client.state == "profile_init")
        #expect(client.status == 401)
        #expect(client.error == "passkey_invalid")
        #expect(try bench.requireAda().passkeys.isEmpty)
    }

    private static let spoilt: [(what: String, spoil: @Sendable (inout SoftwareBehaviour) -> Void)] = [
        ("the origin", { ($0.origin, $0.ignoresOrigin) = ("https://evil.example", true) }),
        ("the challenge", { $0.challenge = [UInt8](repeating: 7, count: 32) }),
        ("the type", { $0.type = "webauthn.get" }),
        ("the relying party", { $0.relyingPartyID = "evil.example" }),
        ("the signature", { $0.breaksSignature = true }),
        ("the presence of the user", { $0.isUserPresent = false }),
    ]

    @Test(arguments: spoilt.map(\.what))
    func `a credential that is not accepted leads to the profile with an error`(what: String) throws {
        let spoil = try #require(Self.spoilt.first { $0.what == what }).spoil
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device(spoil))

        try client.run("webauthn_credential_create")
        try client.run("webauthn_verify_attestation_response", ["public_key": device.create(client)])
        #expect(client.state == "profile_init")
        #expect(client.status == 401)
        #expect(
            client.body["error"] == ["code": "passkey_invalid", "message": "The passkey is invalid."])
        #expect(client.payload["user"]?["id"]?.string == Ada.id)
        #expect(try bench.requireAda().credentials.isEmpty)
        #expect(bench.misshapenExplanations == [])

        try client.run("webauthn_credential_create")
        var sound = Device()
        try client.run("webauthn_verify_attestation_response", ["public_key": sound.create(client)])
        client.expectProfile()
    }

    @Test(arguments: [nil, "", "{", 7, [:], ["id": "x"]] as [JSON?])
    func `what is no credential is not accepted`(credential: JSON?) throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()

        try client.run("webauthn_credential_create")
        try client.run(
            "webauthn_verify_attestation_response", credential.map { ["public_key": $0] })
        #expect(client.state == "profile_init")
        #expect(client.status == 401)
        #expect(client.error == "passkey_invalid")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `options end with their time`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device())

        try client.run("webauthn_credential_create")
        let credential = try device.create(client)
        try bench.clock.advance(seconds: 601)
        try client.run("webauthn_verify_attestation_response", ["public_key": credential])
        #expect(client.error == "passkey_invalid")
        #expect(try bench.requireAda().passkeys.isEmpty)
    }

    @Test func `limits of passkeys and of security keys are limits of each`() throws {
        let bench = try TestBench.profile(
            config: #""passkey": {"limit": 2}, "mfa": {"security_keys": {"limit": 1}}"#,
            ada: AdaHas.email, AdaHas.credentials(passkeys: 1, securityKeys: 1))
        let client = try bench.profileFlow()
        #expect(client.actions.contains("webauthn_credential_create"))
        #expect(
            bench.suspends(
                "security_key_create", because: "mfa.security_keys.limit is 1, and the user has as many keys")
        )

        let full = try TestBench.profile(
            config: #""passkey": {"limit": 2}"#,
            ada: AdaHas.email, AdaHas.credentials(passkeys: 2, securityKeys: 1))
        #expect(try full.profileFlow().actions.contains("security_key_create"))
        #expect(
            full.suspends(
                "webauthn_credential_create", because: "passkey.limit is 2, and the user has as many passkeys"
            ))
    }

    @Test(arguments: [#""mfa": {"enabled": false}"#, #""mfa": {"security_keys": {"enabled": false}}"#])
    func `security keys that are disabled are not made`(config: String) throws {
        let bench = try TestBench.profile(config: config)

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("security_key_create"))
        #expect(
            bench.suspends(
                "security_key_create", because: "mfa.enabled or mfa.security_keys.enabled is false"))
    }

    @Test func `a passkey is renamed`() throws {
        let bench = try TestBench.profile(ada: AdaHas.email, AdaHas.credentials(passkeys: 2))
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "webauthn_credential_rename") == [
                "passkey_id": ["name": "passkey_id", "type": "string", "required": true, "hidden": true],
                "passkey_name": ["name": "passkey_name", "type": "string", "required": true],
            ])

        try client.run(
            "webauthn_credential_rename", ["passkey_id": "cGFzc2tleTE1", "passkey_name": "Telephone"])
        client.expectProfile()
        #expect(try bench.requireAda().passkeys.map(\.name) == [nil, "Telephone"])
        #expect(client.payload["user"]?["passkeys"]?.array?.last?["name"] == "Telephone")

        try client.run("webauthn_credential_rename", ["passkey_id": "cGFzc2tleTE1", "passkey_name": ""])
        #expect(
            client.inputError("passkey_name", of: "webauthn_credential_rename") == "value_missing_error")
        try client.run("webauthn_credential_rename", ["passkey_id": "AAAA", "passkey_name": "x"])
        #expect(client.status == 404)
        #expect(client.error == "not_found")
    }

    @Test func `a passkey is deleted`() throws {
        let bench = try TestBench.profile(
            ada: AdaHas.email, AdaHas.credentials(passkeys: 1, securityKeys: 1))
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "webauthn_credential_delete") == [
                "passkey_id": ["name": "passkey_id", "type": "string", "required": true, "hidden": true]
            ])

        try client.run("webauthn_credential_delete", ["passkey_id": "c2VjdXJpdHk0"])
        #expect(client.error == "not_found")
        try client.run("webauthn_credential_delete", ["passkey_id": "cGFzc2tleTE0"])
        client.expectProfile()
        #expect(try bench.requireAda().credentials.map(\.id) == ["c2VjdXJpdHk0"])
        #expect(bench.suspends("webauthn_credential_delete", because: "the user has no passkey"))
    }

    @Test(arguments: [
        (
            #""email": {"use_for_authentication": false}"#, "nothing else would be left to sign in with"
        ), (#""passkey": {"optional": false}"#, "it is the last passkey, and passkey.optional is false"),
        (#""passkey": {"enabled": false}"#, "passkey.enabled is false"),
    ])
    func `a passkey that is needed stays`(config: String, reason: String) throws {
        let bench = try TestBench.profile(
            config: config, ada: AdaHas.email, AdaHas.credentials(passkeys: 1))
        var client = try bench.profileFlow()
        #expect(!client.actions.contains("webauthn_credential_delete"))
        #expect(bench.suspends("webauthn_credential_delete", because: reason))

        try client.force("webauthn_credential_delete", ["passkey_id": "cGFzc2tleTE0"])
        #expect(client.error == "operation_not_permitted_error")
        #expect(try bench.requireAda().passkeys.count == 1)
    }

    @Test func `a security key is deleted`() throws {
        let bench = try TestBench.profile(
            ada: AdaHas.email, AdaHas.credentials(passkeys: 1, securityKeys: 1))
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "security_key_delete") == [
                "security_key_id": [
                    "name": "security_key_id", "type": "string", "required": true, "hidden": true,
                ]
            ])

        try client.run("security_key_delete", ["security_key_id": "cGFzc2tleTE0"])
        #expect(client.error == "not_found")
        try client.run("security_key_delete", ["security_key_id": "c2VjdXJpdHk0"])
        client.expectProfile()
        #expect(try bench.requireAda().credentials.map(\.id) == ["cGFzc2tleTE0"])
        #expect(bench.suspends("security_key_delete", because: "the user has no security key"))
    }

    @Test func `a passkey that was made for one user is not another's, whose session brings it`() throws {
        let bench = try TestBench.profile()
        var (client, device) = (try bench.profileFlow(), Device())
        try client.run("webauthn_credential_create")
        let answer = try device.create(client)

        client.headers = try bench.bearer(bench.openSession(2, of: Grace.id))
        try client.run("webauthn_verify_attestation_response", ["public_key": answer])
        #expect(client.error == "passkey_invalid")
        #expect(try bench.account(Grace.id)?.credentials.isEmpty == true)
        #expect(try bench.requireAda().credentials.isEmpty)
    }
}
