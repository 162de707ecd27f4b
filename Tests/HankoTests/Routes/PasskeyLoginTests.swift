import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing
import WebAuthn

@testable import Hanko

struct PasskeyLoginTests {
    private let finalize = "/hanko/webauthn/login/finalize"

    @Test func `without a user the login is discoverable`() throws {
        let bench = try TestBench.mobile()

        for body in ["", "{}", "{\"user_id\":null}"] {
            let response = bench.post("/hanko/webauthn/login/initialize", raw: body)
            let challenge = try #require(
                Essentials.JSONValue(parsing: response.bytes)["publicKey"]?["challenge"]?.string)
            #expect(Base64URL.decode(challenge)?.count == 32)
            #expect(
                response.text == """
                    {"publicKey":{"challenge":"\(challenge)","rpId":"localhost","timeout":600000,\
                    "userVerification":"preferred"}}

                    """)
        }
    }

    @Test func `an empty body is fine with any content type, another is not`() throws {
        let bench = try TestBench.mobile()
        let plain: Headers = ["Content-Type": "text/plain"]

        #expect(bench.send(.post, "/hanko/webauthn/login/initialize", headers: plain).status == .ok)
        let refused = bench.send(
            .post, "/hanko/webauthn/login/initialize", body: Array("{}".utf8), headers: plain)
        #expect(refused.status == .unsupportedMediaType)
    }

    @Test func `for a user with passkeys they are listed, without transports`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)

        let options = try Essentials.JSONValue(parsing: bench.requestOptions(for: Ada.id.uppercased()))
        #expect(
            options["publicKey"]?["allowCredentials"]
                == [["id": .string(id), "type": "public-key"]])
        let none = try Essentials.JSONValue(parsing: bench.requestOptions(for: Grace.id))
        #expect(none["publicKey"]?["allowCredentials"] == nil)
    }

    @Test(arguments: [
        ("7", "failed to parse UserID as uuid"),
        ("ada00000-0000-4000-8000-00000000ffff", "user not found"),
    ])
    func `options for nobody are 400`(id: String, message: String) throws {
        let bench = try TestBench.mobile()

        let response = try bench.post("/hanko/webauthn/login/initialize", ["user_id": id])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
        #expect(bench.explanation?.contains(id) == true)
    }

    @Test(arguments: [nil, Ada.id])
    func `a passkey signs in, known beforehand or not`(userID: String?) throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)

        let response = try bench.finishLogin(&device, for: userID)
        #expect(response.status == .ok)
        #expect(response.text == "{\"credential_id\":\"\(id)\",\"user_id\":\"\(Ada.id)\"}\n")
        #expect(response.headers["X-Session-Lifetime"] == "43200")
        let token = try #require(response.headers["X-Auth-Token"])
        let claims = try TokenReader(token).claims
        #expect(claims["sub"] == .string(Ada.id))
        // Classic tokens say neither.
        #expect(claims["amr"] == nil)
        #expect(claims["username"] == nil)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `without the token header the session comes as a cookie`() throws {
        var device = Device()
        let bench = try TestBench.classic()
        #expect(try bench.finishRegistration(&device, try bench.signedIn()).status == .ok)

        let response = try bench.finishLogin(&device)
        #expect(response.headers["X-Auth-Token"] == nil)
        #expect(response.headers["Set-Cookie"]?.hasPrefix("hanko=ey") == true)
    }

    @Test func `a login puts counter, backup state and time on record`() throws {
        var device = Device { ($0.counter, $0.isBackupEligible) = (.increasing, true) }
        let bench = try TestBench.withPasskey(&device)
        let before = try #require(try stored(bench))

        try bench.clock.advance(seconds: 10)
        device.authenticator.behaviour.isBackedUp = true
        #expect(try bench.finishLogin(&device).status == .ok)
        let after = try #require(try stored(bench))
        #expect((before.signCount, before.isBackedUp) == (1, false))
        #expect((after.signCount, after.isBackedUp) == (2, true))
        #expect(after.lastUsedAt == before.lastUsedAt?.addingTimeInterval(10))
    }

    private func stored(_ bench: TestBench<Hanko>) throws -> Credential? {
        try bench.world.database.read { try $0.credentials(of: Ada.id).first }
    }

    @Test func `a counter that does not grow is 400, unless one of both is zero`() throws {
        var device = Device { $0.counter = .increasing }
        let bench = try TestBench.withPasskey(&device)
        #expect(try bench.finishLogin(&device).status == .ok)

        device.authenticator.behaviour.counter = .backwards
        let copy = try bench.finishLogin(&device)
        #expect(copy.status == .badRequest)
        #expect(copy.text == refusal(400, "failed to validate assertion"))
        #expect(bench.explanation?.contains("copy") == true)
        device.authenticator.behaviour.counter = .zero
        #expect(try bench.finishLogin(&device).status == .ok)
    }

    @Test(arguments: ["", "{", "[]", "{} {}"])
    func `what is no credential is 400`(body: String) throws {
        let bench = try TestBench.mobile()

        let response = bench.post(finalize, raw: body)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Parse error for Assertion"))
        #expect(bench.misshapenExplanations == [])
    }

    static let unreadable: [([String], Essentials.JSONValue?, String)] = [
        (["id"], nil, "CredentialAssertionResponse with ID missing"),
        (["id"], "AA==", "CredentialAssertionResponse with ID not base64url encoded"),
        (["type"], nil, "CredentialAssertionResponse with bad type"),
        (["type"], "public_key", "CredentialAssertionResponse with bad type"),
        (["rawId"], "?", "Parse error for Assertion"),
        (["response", "signature"], "a+b/", "Parse error for Assertion"),
        (["response", "clientDataJSON"], "e30", "Parse error for Assertion"),
        (["response", "authenticatorData"], nil, "Error unmarshalling auth data"),
        (["response", "authenticatorData"], "AAAA", "Error unmarshalling auth data"),
    ]

    @Test(arguments: unreadable)
    func `a credential that cannot be read is 400 with the parser's text`(
        path: [String], value: Essentials.JSONValue?, message: String
    ) throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        let response = try bench.finishLogin(&device) { credential in
            path.count == 1
                ? credential.changing(path[0], to: value)
                : credential.changing(path[0], path[1], to: value)
        }
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a challenge that does not wait for a login is 401`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let mismatch = refusal(401, "Stored challenge and received challenge do not match")
        func finish(_ json: [UInt8]) -> Response {
            bench.post(finalize, raw: String(decoding: json, as: UTF8.self))
        }

        let assertion = try device.authenticator.get(bench.requestOptions())
        #expect(finish(assertion).status == .ok)
        let used = finish(assertion)
        #expect(used.status == .unauthorized)
        #expect(used.text == mismatch)
        device.authenticator.behaviour.challenge = [1]
        #expect(finish(try device.authenticator.get(bench.requestOptions())).text == mismatch)
        let creation = try Essentials.JSONValue(parsing: bench.creationOptions(try bench.signedIn()))
        let text = try #require(creation["publicKey"]?["challenge"]?.string)
        device.authenticator.behaviour.challenge = Base64URL.decode(text)
        #expect(finish(try device.authenticator.get(bench.requestOptions())).text == mismatch)
        #expect(bench.explanation?.contains("other ceremony") == true)
    }

    @Test(arguments: [[], Array("ada".utf8), Array(Ada.id.utf8)])
    func `a discoverable login without a user's handle is 400`(handle: [UInt8]) throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        device.authenticator.behaviour.userHandle = handle
        let response = try bench.finishLogin(&device)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "failed to parse userHandle as uuid"))
        #expect(bench.misshapenExplanations == [])
        // Where the user was known it may be missing, but not wrong.
        let known = try bench.finishLogin(&device, for: Ada.id)
        #expect(known.status == (handle.isEmpty ? .ok : .unauthorized))
    }

    @Test func `a handle of nobody is 401`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        device.authenticator.behaviour.userHandle = [UInt8](repeating: 7, count: 16)
        let response = try bench.finishLogin(&device)
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "Unauthorized"))
        #expect(bench.explanation?.contains("07070707-0707-0707-0707-070707070707") == true)
    }

    @Test(arguments: [
        Habit("type of a registration") { $0.type = "webauthn.create" },
        Habit("host") { ($0.origin, $0.ignoresOrigin) = ("https://localhost.example", true) },
        Habit("relying party") { $0.relyingPartyID = "example.com" },
        Habit("nobody there") { $0.isUserPresent = false },
        Habit("signature") { $0.breaksSignature = true },
        Habit("handle of another user") { $0.userHandle = UUIDText.bytes(of: Grace.id) },
    ])
    func `what does not verify is 401, explained, and leaves the challenge`(_ habit: Habit) throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let options = try bench.requestOptions()
        func finish() throws -> Response {
            bench.post(
                finalize, raw: String(decoding: try device.authenticator.get(options), as: UTF8.self))
        }

        let good = device.authenticator.behaviour
        habit.change(&device.authenticator.behaviour)
        let response = try finish()
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "failed to validate assertion"))
        #expect(response.sessionToken == nil)
        #expect(bench.explanation?.contains("expected") == true)
        #expect(bench.misshapenExplanations == [])
        device.authenticator.behaviour = good
        #expect(try finish().status == .ok)
    }

    @Test func `user verification counts where it is required`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(
            &device, config: "\"passkey\": {\"user_verification\": \"required\"}")

        device.authenticator.behaviour.isUserVerified = false
        let response = try bench.finishLogin(&device)
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "failed to validate assertion"))
    }

    @Test func `a passkey that was removed, or without a rawId, is not known`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let id = Base64URL.encode(try #require(device.authenticator.credentials.last).id)

        let nameless = try bench.finishLogin(&device) { $0.changing("rawId", to: nil) }
        #expect(nameless.text == refusal(401, "failed to validate assertion"))
        let session = try bench.signedIn()
        #expect(bench.delete("/hanko/webauthn/credentials/\(id)", headers: session).status == .noContent)
        let removed = try bench.finishLogin(&device)
        #expect(removed.text == refusal(401, "failed to validate assertion"))
        #expect(bench.explanation?.contains("not on record") == true)
    }

    @Test func `a passkey that was not asked for is refused`() throws {
        var (first, second) = (Device(), Device { $0.aaguid = [UInt8](repeating: 9, count: 16) })
        let entropy = Entropy.seeded(2)
        second.authenticator = SoftwareAuthenticator(
            second.authenticator.behaviour, entropy: .init(bytes: { entropy.bytes($0, "other") }))
        let bench = try TestBench.withPasskey(&first)
        let options = try bench.requestOptions(for: Ada.id)
        #expect(try bench.finishRegistration(&second, try bench.signedIn()).status == .ok)

        // The client should have taken one of the list.
        let stripped = try Essentials.JSONValue(parsing: options)
            .changing("publicKey", "allowCredentials", to: nil)
        let assertion = try second.authenticator.get(stripped.bytes)
        let response = bench.post(finalize, raw: String(decoding: assertion, as: UTF8.self))
        #expect(response.text == refusal(401, "failed to validate assertion"))
        #expect(bench.explanation?.contains("asked for") == true)
    }

    @Test func `a challenge ends where the user was known, and nobody looks at its end elsewhere`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        let late = try bench.finishLogin(&device, for: Ada.id) {
            try bench.clock.advance(seconds: 600)
            return $0
        }
        #expect(late.status == .unauthorized)
        #expect(late.text == refusal(401, "failed to validate assertion"))
        #expect(bench.explanation?.contains("challengeExpired") == true)
        let discoverable = try bench.finishLogin(&device) {
            try bench.clock.advance(seconds: 100_000)
            return $0
        }
        #expect(discoverable.status == .ok)
    }

    @Test func `the Android sample's spelling is read, whatever the content type`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let options = bench.send(
            .post, "/hanko/webauthn/login/initialize", headers: ["Content-Type": "application/json"])
        let credential = try Essentials.JSONValue(parsing: device.authenticator.get(options.bytes))
        let response = try #require(credential["response"]?.object)

        var renamed = response
        renamed["clientDataJson"] = renamed.removeValue(forKey: "clientDataJSON")
        let sent = credential.changing("response", to: .object(renamed))
        let answer = bench.send(.post, finalize, body: sent.bytes, headers: ["Content-Type": "text/plain"])
        #expect(answer.status == .ok, "\(bench.explanation ?? "")")
    }

    @Test func `what only the standard refuses is let pass with a warning`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        device.authenticator.behaviour.isBackupEligible = true
        device.authenticator.behaviour.crossOrigin = true
        #expect(try bench.finishLogin(&device).status == .ok)
        let warnings = bench.events.filter { $0.event == "webauthn warning" }.compactMap(\.explanation)
        #expect(warnings.contains { $0.contains("backupEligibility") })
        #expect(warnings.contains { $0.contains("crossOrigin") })
        #expect(try stored(bench)?.isBackupEligible == true)
    }

    @Test(arguments: [COSEAlgorithm.es256, .eddsa, .rs256])
    func `passkeys of several algorithms sign in`(algorithm: COSEAlgorithm) throws {
        var device = Device { $0.algorithms = [algorithm] }
        let bench = try TestBench.withPasskey(&device)

        #expect(device.authenticator.credentials.last?.algorithm == algorithm)
        #expect(try bench.finishLogin(&device).status == .ok)
    }
}
