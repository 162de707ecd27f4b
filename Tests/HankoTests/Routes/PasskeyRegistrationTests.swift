import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

struct PasskeyRegistrationTests {
    @Test func `the options are those of the original, with a new challenge each time`() throws {
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()

        let first = try bench.creationOptions(session)
        let challenge = try #require(
            Essentials.JSONValue(parsing: first)["publicKey"]?["challenge"]?.string)
        #expect(Base64URL.decode(challenge)?.count == 32)
        let parameters = [-7, -35, -36, -257, -258, -259, -37, -38, -39, -8].map {
            "{\"alg\":\($0),\"type\":\"public-key\"}"
        }
        #expect(
            String(decoding: first, as: UTF8.self) == """
                {"publicKey":{"attestation":"direct","authenticatorSelection":{"requireResidentKey":true,\
                "residentKey":"required","userVerification":"preferred"},"challenge":"\(challenge)",\
                "pubKeyCredParams":[\(parameters.joined(separator: ","))],\
                "rp":{"id":"localhost","name":"Hanko Authentication Service"},"timeout":600000,\
                "user":{"displayName":"ada@example.com","id":"raAAAAAAQACAAAAAAAAAAQ","name":"ada@example.com"}}}

                """)
        #expect(try bench.creationOptions(session) != first)
    }

    @Test func `the options follow the configuration, whatever the body says`() throws {
        let bench = try TestBench.mobile(
            config: """
                "webauthn": {
                    "relying_party": {"id": "example.com", "display_name": "Example"},
                    "timeouts": {"registration": 60000},
                },
                "passkey": {"user_verification": "required", "attestation_preference": "none"},
                """)
        let session = try bench.signedIn()

        let response = bench.post(
            "/hanko/webauthn/registration/initialize", raw: "{", headers: session)
        let options = try #require(Essentials.JSONValue(parsing: response.bytes)["publicKey"])
        #expect(options["rp"] == ["id": "example.com", "name": "Example"])
        #expect(options["timeout"] == 60000)
        #expect(options["attestation"] == "none")
        #expect(options["authenticatorSelection"]?["userVerification"] == "required")
    }

    @Test func `a registered device may be registered again, so nothing is excluded`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let session = try bench.signedIn()

        let options = try Essentials.JSONValue(parsing: bench.creationOptions(session))
        #expect(options["publicKey"]?["excludeCredentials"] == nil)
        #expect(try bench.finishRegistration(&device, session).status == .ok)
    }

    @Test func `both ends need a session`() throws {
        let bench = try TestBench.mobile()

        for end in ["initialize", "finalize"] {
            let response = bench.send(.post, "/hanko/webauthn/registration/\(end)")
            #expect(response.status == .unauthorized)
            #expect(response.text == refusal(401, "Unauthorized"))
        }
    }

    @Test func `a user without a primary address breaks the original, and this too`() throws {
        let bench = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {
                    "config": {"mfa": {"enabled": false}, "session": {"enable_auth_token_header": true}},
                    "users": [{"id": "\(Ada.id)", "password": {"text": "analytical-engine"}}],
                }}
                """)
        let login = try bench.post(
            "/hanko/password/login", ["user_id": Ada.id, "password": "analytical-engine"])
        let token = try #require(login.sessionToken)

        let response = bench.send(
            .post, "/hanko/webauthn/registration/initialize", headers: .bearer(token))
        #expect(response.status == .internalServerError)
        #expect(response.text == refusal(500, "Internal Server Error"))
        #expect(bench.explanation?.contains("no primary address") == true)
    }

    @Test func `a passkey is stored as the original stores it`() throws {
        var device = Device {
            $0.aaguid = [
                0xBA, 0xDA, 0x55, 0x66, 0xA7, 0xAA, 0x40, 0x1F, 0xBD, 0x96, 0x45, 0x61, 0x9A, 0x55, 0x12,
                0x0D,
            ]
            ($0.isBackupEligible, $0.isBackedUp) = (true, true)
        }
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()

        let response = try bench.finishRegistration(&device, session)
        let made = try #require(device.authenticator.credentials.last)
        let id = Base64URL.encode(made.id)
        #expect(response.status == .ok)
        #expect(response.text == "{\"credential_id\":\"\(id)\",\"user_id\":\"\(Ada.id)\"}\n")
        #expect(response.sessionToken == nil)

        let list = try Essentials.JSONValue(
            parsing: bench.get("/hanko/webauthn/credentials", headers: session).bytes)
        let credential = try #require(list.array?.first)
        #expect(list.array?.count == 1)
        #expect(credential["id"] == .string(id))
        #expect(credential["name"] == "1Password")
        #expect(credential["aaguid"] == "bada5566-a7aa-401f-bd96-45619a55120d")
        // The format, which the original keeps as the type.
        #expect(credential["attestation_type"] == "packed")
        #expect(credential["transports"] == ["internal", "hybrid"])
        #expect(credential["backup_eligible"] == true)
        #expect(credential["backup_state"] == true)
        #expect(credential["mfa_only"] == false)
        #expect(credential["last_used_at"] == credential["created_at"])
        let key = try COSEKey(made.key.publicKey, made.algorithm).bytes
        #expect(credential["public_key"] == .string(Base64URL.encode(key)))
        let me = try Essentials.JSONValue(parsing: bench.get("/hanko/me", headers: session).bytes)
        #expect(me["passkeys"] == list)
        let found = try bench.post("/hanko/user", ["email": Ada.address])
        #expect(found.fields["has_webauthn_credential"] == "true")
    }

    @Test(arguments: [
        ("", "Parse error for Registration"),
        ("{", "Parse error for Registration"),
        ("[]", "Parse error for Registration"),
        ("{} {}", "Parse error for Registration"),
        ("{}", "Parse error for Registration"),
    ])
    func `what is no credential is 400 with the parser's text`(body: String, message: String) throws {
        let bench = try TestBench.mobile()

        let response = bench.post(
            "/hanko/webauthn/registration/finalize", raw: body, headers: try bench.signedIn())
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
        #expect(bench.explanation?.isEmpty == false)
        #expect(bench.misshapenExplanations == [])
    }

    /// Members of a credential that are changed, to what, and the message.
    static let unreadable: [([String], Essentials.JSONValue?, String)] = [
        (["id"], nil, "Parse error for Registration"),
        (["id"], "", "Parse error for Registration"),
        (["id"], "AA==", "Parse error for Registration"),
        (["id"], "?", "Parse error for Registration"),
        (["rawId"], "+/+/", "Parse error for Registration"),
        (["type"], nil, "Parse error for Registration"),
        (["type"], "password", "Parse error for Registration"),
        (["response", "clientDataJSON"], "?", "Parse error for Registration"),
        (["response", "attestationObject"], 7, "Parse error for Registration"),
        (["response"], nil, "Error parsing attestation response"),
        (["response", "clientDataJSON"], nil, "Error parsing attestation response"),
        (["response", "clientDataJSON"], "e30", "Error parsing attestation response"),
        (["response", "attestationObject"], nil, "Error parsing attestation response"),
        (["response", "attestationObject"], "oA", "Error parsing attestation response"),
        (["response", "attestationObject"], "gA", "Error parsing attestation response"),
        // {"fmt": "none", "attStmt": {}, "authData": h''}
        (
            ["response", "attestationObject"], "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA",
            "Error parsing attestation response"
        ),
    ]

    @Test(arguments: unreadable)
    func `a credential that cannot be read is 400 with the parser's text`(
        path: [String], value: Essentials.JSONValue?, message: String
    ) throws {
        var device = Device()
        let bench = try TestBench.mobile()

        let response = try bench.finishRegistration(&device, try bench.signedIn()) { credential in
            path.count == 1
                ? credential.changing(path[0], to: value)
                : credential.changing(path[0], path[1], to: value)
        }
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
        #expect(bench.misshapenExplanations == [])
    }

    @Test(
        arguments: [
            (["status": "not-supported"], nil), (.null, nil),
            (["status": "on"], "failed to validate attestation"), ([:], "failed to validate attestation"),
            ("supported", "Error parsing attestation response"),
        ] as [(Essentials.JSONValue, String?)])
    func `token binding has one of three states, where there is any`(
        binding: Essentials.JSONValue, message: String?
    ) throws {
        var device = Device { $0.attestation = SoftwareBehaviour.Attestation.none }
        let bench = try TestBench.mobile()

        let response = try bench.finishRegistration(&device, try bench.signedIn()) { credential in
            let text = try #require(credential["response"]?["clientDataJSON"]?.string)
            let data = try Essentials.JSONValue(parsing: #require(Base64URL.decode(text)))
                .changing("tokenBinding", to: binding)
            return credential.changing(
                "response", "clientDataJSON", to: .string(Base64URL.encode(data.bytes)))
        }
        #expect(response.status == (message == nil ? .ok : .badRequest), "\(response.text)")
        if let message { #expect(response.text == refusal(400, message)) }
        #expect(message == nil || bench.explanation?.contains("tokenBinding") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a challenge that does not wait for this user's registration is 400`() throws {
        var (device, other) = (Device(), Device())
        let bench = try TestBench.withPasskey(&other)
        let (ada, grace) = (try bench.signedIn(), try bench.signedIn(Grace.id))
        let mismatch = refusal(400, "Stored challenge and received challenge do not match")
        func finish(_ credential: [UInt8], _ session: Headers) -> Response {
            bench.post(
                "/hanko/webauthn/registration/finalize",
                raw: String(decoding: credential, as: UTF8.self), headers: session)
        }

        // Never given out.
        device.authenticator.behaviour.challenge = [1, 2, 3]
        let unknown = finish(try device.authenticator.create(bench.creationOptions(ada)), ada)
        #expect(unknown.status == .badRequest)
        #expect(unknown.text == mismatch)
        // Of another user.
        device.authenticator.behaviour.challenge = nil
        let gift = try device.authenticator.create(bench.creationOptions(grace))
        #expect(finish(gift, ada).text == mismatch)
        #expect(bench.explanation?.contains(Grace.id) == true)
        #expect(finish(gift, grace).status == .ok)
        // Used up.
        #expect(finish(gift, grace).text == mismatch)
        // Of a login.
        let request = try Essentials.JSONValue(parsing: bench.requestOptions())
        let text = try #require(request["publicKey"]?["challenge"]?.string)
        device.authenticator.behaviour.challenge = Base64URL.decode(text)
        let crossed = finish(try device.authenticator.create(bench.creationOptions(ada)), ada)
        #expect(crossed.status == .badRequest)
        #expect(crossed.text == mismatch)
        #expect(bench.explanation?.contains("other ceremony") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `missing user verification is 422 where it was required, and nothing elsewhere`() throws {
        var device = Device { $0.isUserVerified = false }
        let strict = try TestBench.mobile(config: "\"passkey\": {\"user_verification\": \"required\"}")

        let refused = try strict.finishRegistration(&device, try strict.signedIn())
        #expect(refused.status.code == 422)
        #expect(refused.fields["message"]?.hasPrefix("failed to validate attestation:") == true)
        #expect(strict.explanation?.contains("UV") == true)
        let bench = try TestBench.mobile()
        #expect(try bench.finishRegistration(&device, try bench.signedIn()).status == .ok)
    }

    @Test(arguments: [
        Habit("type of a login") { $0.type = "webauthn.get" },
        Habit("host") { ($0.origin, $0.ignoresOrigin) = ("https://localhost.example", true) },
        Habit("scheme") { ($0.origin, $0.ignoresOrigin) = ("https://localhost:8888", true) },
        Habit("port") { ($0.origin, $0.ignoresOrigin) = ("http://localhost:8889", true) },
        Habit("relying party") { $0.relyingPartyID = "example.com" },
        Habit("nobody there") { $0.isUserPresent = false },
        Habit("signature") { $0.breaksSignature = true },
    ])
    func `what does not verify is 400, explained, and leaves the challenge`(_ habit: Habit) throws {
        var device = Device()
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()
        let options = try bench.creationOptions(session)
        func finish() throws -> Response {
            bench.post(
                "/hanko/webauthn/registration/finalize",
                raw: String(decoding: try device.authenticator.create(options), as: UTF8.self),
                headers: session)
        }

        let good = device.authenticator.behaviour
        habit.change(&device.authenticator.behaviour)
        let response = try finish()
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "failed to validate attestation"))
        #expect(bench.explanation?.contains("expected") == true)
        #expect(bench.misshapenExplanations == [])
        device.authenticator.behaviour = good
        #expect(try finish().status == .ok)
    }

    @Test func `a challenge that is over is a failed attestation`() throws {
        var device = Device()
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()

        let response = try bench.finishRegistration(&device, session) {
            try bench.clock.advance(seconds: 600)
            return $0
        }
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "failed to validate attestation"))
        #expect(bench.explanation?.contains("challengeExpired") == true)
    }

    @Test func `a credential id that somebody has is refused`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        var twin = Device()

        let response = try bench.finishRegistration(&twin, try bench.signedIn(Grace.id))
        #expect(twin.authenticator.credentials.last?.id == device.authenticator.credentials.last?.id)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "failed to validate attestation"))
        #expect(bench.explanation?.contains("on record") == true)
    }

    @Test func `an unexpected origin is explained with the line that allows it`() throws {
        var device = Device(origin: "https://localhost")
        let bench = try TestBench.mobile()

        _ = try bench.finishRegistration(&device, try bench.signedIn())
        let explanation = try #require(bench.explanation)
        #expect(explanation.contains("\"origins\": [\"http://localhost:8888\", \"https://localhost\"]"))
        #expect(explanation.contains("hanko.config.webauthn.relying_party"))
    }

    @Test(arguments: [
        // A native app on iOS; the case of a host; an Android app; any port of localhost.
        ("https://example.com", "\"https://example.com\"", "example.com"),
        ("https://Login.Example.com", "\"https://login.example.com\"", "example.com"),
        (
            "android:apk-key-hash:Q2Nzd8dOXHfpbVUiCPBmz5wz9AUhE6SCp7c8u2sJB4A",
            "\"android:apk-key-hash:Q2Nzd8dOXHfpbVUiCPBmz5wz9AUhE6SCp7c8u2sJB4A\"", "example.com"
        ),
        ("http://localhost:54321", "", "localhost"),
    ])
    func `origins that the configuration lists are expected`(
        origin: String, list: String, id: String
    ) throws {
        var device = Device(origin: origin) { $0.ignoresOrigin = true }
        let bench = try TestBench.mobile(
            config: "\"webauthn\": {\"relying_party\": {\"id\": \"\(id)\", \"origins\": [\(list)]}}",
            section: "\"any_localhost_origin\": true")

        let response = try bench.finishRegistration(&device, try bench.signedIn())
        #expect(response.status == .ok, "\(bench.explanation ?? "")")
    }

    @Test func `a site that the association file relates is expected, another is not`() throws {
        func status(from origin: String) throws -> Status {
            var device = Device(origin: origin) { $0.ignoresOrigin = true }
            let bench = try TestBench.mobile(
                config: """
                    "webauthn": {"relying_party": {"id": "example.com", "origins": ["https://example.com"]}}
                    """,
                section: "\"association\": {\"related_origins\": [\"https://example.de\"]}")
            return try bench.finishRegistration(&device, try bench.signedIn()).status
        }

        #expect(try status(from: "https://example.de") == .ok)
        #expect(try status(from: "https://example.fr") == .badRequest)
    }

    @Test func `the hash of an Android app is compared as it is`() throws {
        let hash = "android:apk-key-hash:Q2Nzd8dOXHfpbVUiCPBmz5wz9AUhE6SCp7c8u2sJB4A"
        var device = Device(origin: hash.replacing("Q2N", with: "q2N")) { $0.ignoresOrigin = true }
        let bench = try TestBench.mobile(
            config: "\"webauthn\": {\"relying_party\": {\"origins\": [\"\(hash)\"]}}")

        #expect(try bench.finishRegistration(&device, try bench.signedIn()).status == .badRequest)
        #expect(bench.explanation?.contains("signing key") == true)
    }

    @Test func `the Android sample's spelling is read, whatever the content type`() throws {
        var device = Device()
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()
        let json = try device.authenticator.create(bench.creationOptions(session))
        let credential = try Essentials.JSONValue(parsing: json)
        let response = try #require(credential["response"])
        let clientData = try #require(response["clientDataJSON"]?.string)

        let sent: Essentials.JSONValue = [
            "id": try #require(credential["id"]), "rawId": try #require(credential["id"]),
            "type": "public-key", "transports": ["usb", "carrier-pigeon"],
            "response": [
                "clientDataJson": .string(clientData + padding(of: clientData)),
                "attestationObject": try #require(response["attestationObject"]),
            ],
        ]
        var headers = session
        headers["Content-Type"] = "text/plain"
        let answer = bench.send(
            .post, "/hanko/webauthn/registration/finalize", body: sent.bytes, headers: headers)
        #expect(answer.status == .ok, "\(bench.explanation ?? "")")
        let list = bench.get("/hanko/webauthn/credentials", headers: session)
        #expect(list.text.contains("\"transports\":[\"usb\",\"carrier-pigeon\"]"))
    }

    /// What brings base64url to full length.
    private func padding(of text: String) -> String {
        String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    @Test(arguments: [
        Habit("crossOrigin") { $0.crossOrigin = true },
        Habit("topOrigin") { ($0.crossOrigin, $0.topOrigin) = (true, "https://portal.example") },
        Habit("backupState") { $0.isBackedUp = true },
    ])
    func `what only the standard refuses is let pass with a warning`(_ habit: Habit) throws {
        var device = Device { habit.change(&$0) }
        let bench = try TestBench.mobile()

        let response = try bench.finishRegistration(&device, try bench.signedIn())
        #expect(response.status == .ok)
        let warnings = bench.events.filter { $0.event == "webauthn warning" }.compactMap(\.explanation)
        #expect(warnings.contains { $0.contains(habit.testDescription) })
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `bytes behind the attestation object are let pass with a warning`() throws {
        var device = Device()
        let bench = try TestBench.mobile()

        let response = try bench.finishRegistration(&device, try bench.signedIn()) { credential in
            let text = try #require(credential["response"]?["attestationObject"]?.string)
            let bytes = try #require(Base64URL.decode(text)) + [1, 2]
            return credential.changing(
                "response", "attestationObject", to: .string(Base64URL.encode(bytes)))
        }
        #expect(response.status == .ok)
        #expect(bench.events.contains { $0.explanation?.contains("2 more bytes") == true })
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        ("http://10.0.2.2:3000", "10.0.2.2"),
        ("https://app.example.com", "related origin"),
        ("http://app.localhost.example", "domain"),
    ])
    func `a page that will get no passkey is told so in the journal`(origin: String, word: String) throws {
        // The page may call, as far as CORS goes.
        let bench = try TestBench.mobile(
            config: """
                "server": {"public": {"cors": {"allow_origins": ["*"], "unsafe_wildcard_origin_allowed": true}}}
                """)

        let headers: Headers = ["Origin": origin]
        _ = bench.send(.post, "/hanko/webauthn/login/initialize", headers: headers)
        let told = bench.events.first { $0.event == "webauthn impossible" }?.explanation
        #expect(told?.contains(word) == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a page that can get passkeys is told nothing`() throws {
        let bench = try TestBench.mobile()

        let headers: Headers = ["Origin": "http://localhost:8888"]
        _ = bench.send(.post, "/hanko/webauthn/login/initialize", headers: headers)
        #expect(!bench.events.contains { $0.event == "webauthn impossible" })
    }

    @Test func `passkeys do not depend on MFA`() throws {
        let bench = try TestBench(Hanko.self)

        #expect(bench.send(.post, "/hanko/webauthn/login/initialize").status == .ok)
    }
}
