import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

@Suite struct AuthenticationTests {
    private static let forced = "\"force_activation\": true,"

    @Test func `a right PIN authenticates`() throws {
        let phone = try Phone(on: TestProject.bench(Self.forced))

        let done = try phone.authenticate()

        #expect(done.status == .ok)
        #expect(done.json == ["status": 200, "message": "OK"])
    }

    @Test func `wrong PINs are 401, 401 and 410, and the right one is 410 after them`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let wrong = refusal("UNSUCCESSFUL_AUTHENTICATION", "The authentication was not successful")
        let over = refusal("REVOKED_MPINID", "The identity is revoked")

        let first = try phone.authenticate(pin: 1235)
        #expect(first.status == .unauthorized)
        #expect(first.json == wrong)
        #expect(bench.explanation?.contains("The PIN is off by +1. 2 attempts are left") == true)
        #expect(try phone.authenticate(pin: 1233).status == .unauthorized)
        #expect(bench.explanation?.contains("The PIN is off by -1. One attempt is left") == true)
        let third = try phone.authenticate(pin: 9999)
        #expect(third.status == .gone)
        #expect(third.json == over)
        let right = try phone.authenticate()
        #expect(right.status == .gone)
        #expect(right.json == over)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `a right PIN in between gives all attempts back`() throws {
        let phone = try Phone(on: TestProject.bench(Self.forced))

        for pin in [1, 2, Phone.pin, 3, 4] {
            let expected: Status = pin == Phone.pin ? .ok : .unauthorized
            #expect(try phone.authenticate(pin: pin).status == expected)
        }
        #expect(try phone.authenticate(pin: 5).status == .gone)
    }

    @Test func `blocking one device leaves the user's other one alone`() throws {
        let bench = try TestProject.bench(Self.forced + "\"max_attempts\": 1,")
        let (lost, kept) = (try Phone(on: bench), try Phone(on: bench, device: "tablet"))

        #expect(try lost.authenticate(pin: 1).status == .gone)
        #expect(try kept.authenticate().status == .ok)
    }

    @Test func `a wrong proof counts only when the client asks what became of it`() throws {
        let phone = try Phone(on: TestProject.bench(Self.forced))

        for _ in 1...5 { _ = try phone.prove(pin: 1) }

        #expect(try phone.authenticate().status == .ok)
    }

    @Test func `an authOTT is good once and for a minute`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let gone = refusal("REQUEST_EXPIRED", "The request has expired")
        let authenticate = { (authOTT: String) in
            try bench.post("/miracl/rps/v2/authenticate", ["authOTT": authOTT])
        }

        let used = try phone.prove()
        #expect(try authenticate(used).status == .ok)
        let again = try authenticate(used)
        #expect(again.status == .requestTimeout)
        #expect(again.json == gone)

        let late = try phone.prove()
        bench.time.advance(seconds: 60)
        #expect(try authenticate(late).json == gone)
        #expect(try authenticate("00").json == gone)
    }

    @Test func `the second pass wants a first one, once, within 15 seconds`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let second = { (members: [String: String]) in
            try bench.post("/miracl/rps/v2/pass2", members)
        }
        let first = {
            try bench.post(
                "/miracl/rps/v2/pass1",
                ["mpin_id": phone.mpinID, "U": phone.client.identity.point.hex]
            ).status
        }
        let none = refusal("FORBIDDEN", "No first pass")

        let missing = try second(["mpin_id": phone.mpinID, "V": "04"])
        #expect(missing.status == .forbidden)
        #expect(missing.json == none)
        #expect(try first() == .ok)
        #expect(try second(["mpin_id": phone.mpinID, "V": "04"]).status == .ok)
        #expect(try second(["mpin_id": phone.mpinID, "V": "04"]).json == none)
        #expect(try first() == .ok)
        bench.time.advance(seconds: 15)
        #expect(try second(["mpin_id": phone.mpinID, "V": "04"]).json == none)
        #expect(try first() == .ok)
        let incomplete = try second(["mpin_id": phone.mpinID])
        #expect(incomplete.status == .forbidden)
        #expect(
            incomplete.json
                == refusal("INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "V"]))
        #expect(try second(["V": "04"]).status == .forbidden)
    }

    @Test func `a V that is no point, or made with a stale challenge, is a wrong PIN`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let x = Scalar(99)
        let start: () throws -> String = {
            let first = try bench.post(
                "/miracl/rps/v2/pass1", ["mpin_id": phone.mpinID, "U": phone.client.commitment(x).u.hex])
            return try #require(first.members["y"]?.string)
        }
        let finish = { (v: String) in
            let authOTT = try bench.post("/miracl/rps/v2/pass2", ["mpin_id": phone.mpinID, "V": v])
                .fields["authOTT"]
            return try bench.post("/miracl/rps/v2/authenticate", ["authOTT": #require(authOTT)])
        }

        let stale = try start()
        _ = try start()
        let v = phone.client.proof(x, challenge: try Scalar(hex: stale), pin: Phone.pin)
        #expect(try finish(v.hex).status == .unauthorized)
        #expect(bench.explanation?.contains("wrong by more than the PIN") == true)
        _ = try start()
        #expect(try finish("0401").status == .unauthorized)
    }

    @Test func `points off the curve and foreign identities are refused in the first pass`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let off = "04" + String(repeating: "0", count: 127) + "1"

        let malformed = try bench.post("/miracl/rps/v2/pass1", ["mpin_id": phone.mpinID, "U": off])
        #expect(malformed.status == .badRequest)
        #expect(
            malformed.json
                == refusal("INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "U"]))
        let unknown = try bench.post(
            "/miracl/rps/v2/pass1", ["mpin_id": "7b7d", "U": phone.client.identity.point.hex])
        #expect(unknown.status == .forbidden)
        #expect(unknown.json == refusal("EXPIRED_MPINID", "The identity has expired"))
        let key = try bench.post(
            "/miracl/rps/v2/pass1",
            [
                "mpin_id": phone.mpinID, "U": phone.client.identity.point.hex,
                "publicKey": Hex.encode(G2Point.generator.bytes),
            ])
        #expect(key.status == .forbidden)
        #expect(key.json == refusal("FORBIDDEN", "Forbidden"))
    }

    @Test func `where the project says so, an unknown id reaches the block instead`() throws {
        let bench = try TestProject.bench("\"block_unknown_identities\": true,")
        let point = MPinIdentity([1]).point.hex

        let first = try bench.post("/miracl/rps/v2/pass1", ["mpin_id": "7b7d", "U": point])
        #expect(first.status == .ok)
        let authOTT = try #require(
            try bench.post("/miracl/rps/v2/pass2", ["mpin_id": "7b7d", "V": point]).fields["authOTT"])
        let last = try bench.post("/miracl/rps/v2/authenticate", ["authOTT": authOTT])
        #expect(last.status == .gone)
        #expect(last.json == refusal("REVOKED_MPINID", "The identity is revoked"))
    }

    @Test func `a world in which an unknown id has begun can be exported and loaded`() throws {
        let bench = try TestProject.bench("\"block_unknown_identities\": true,")
        let point = MPinIdentity([1]).point.hex
        for id in ["7b7d", "7b22"] {
            #expect(try bench.post("/miracl/rps/v2/pass1", ["mpin_id": id, "U": point]).status == .ok)
        }
        #expect(try bench.post("/miracl/rps/v2/pass2", ["mpin_id": "7b7d", "V": point]).status == .ok)

        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        let other = try TestBench(MIRACL.self, fixtures: exported)

        #expect(String(decoding: try other.worlds.export(other.world), as: UTF8.self) == exported)
    }

    @Test func `an identity expires when its project says so`() throws {
        let bench = try TestProject.bench(Self.forced + "\"lifetimes\": { \"identity\": 7200 },")
        let phone = try Phone(on: bench)
        #expect(try phone.authenticate().status == .ok)

        bench.time.advance(seconds: 7200)

        let late = try bench.post(
            "/miracl/rps/v2/pass1", ["mpin_id": phone.mpinID, "U": phone.client.identity.point.hex])
        #expect(late.json == refusal("EXPIRED_MPINID", "The identity has expired"))
    }

    @Test func `a WID without a live session is 412 and costs no attempt`() throws {
        let bench = try TestProject.bench(Self.forced + "\"max_attempts\": 1,")
        let phone = try Phone(on: bench)

        let refused = try phone.authenticate(pin: 1, wid: "00000000000000000000000000000000")

        #expect(refused.status == .preconditionFailed)
        #expect(refused.json == refusal("INVALID_AUTH_SESSION", "Invalid or expired session"))
        #expect(try phone.authenticate().status == .ok)
    }

    @Test(arguments: ["jwt", "otp", "reg-code", "dvs-auth", "dvs-reg"])
    func `clients keep sending the WID of their first login, which matters to logins alone`(
        _ scope: String
    ) throws {
        let bench = try TestProject.bench(Self.forced)
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))
        #expect(try phone.signIn(browser.accessID).status == .ok)

        let later = try phone.authenticate(scope: [scope], wid: browser.accessID)
        #expect(later.status == .ok, "\(later.text)")
        let wrong = try phone.authenticate(pin: 1, scope: [scope], wid: browser.accessID)
        #expect(wrong.status == .unauthorized, "a wrong PIN is counted")
        #expect(bench.explanation?.contains("2 attempts are left") == true)
        for login in ["oidc", "authcode"] {
            let refused = try phone.authenticate(scope: [login], wid: browser.accessID)
            #expect(refused.status == .preconditionFailed)
        }
    }

    @Test func `a login that waits is not finished by a proof for something else`() throws {
        let bench = try TestProject.bench(Self.forced)
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))
        #expect(try phone.authenticate(scope: ["otp"], wid: browser.accessID).status == .ok)
        #expect(try browser.status == "new")
        #expect(try phone.signIn(browser.accessID).status == .ok)
    }

    @Test func `a one-time password comes with its times`() throws {
        let phone = try Phone(on: TestProject.bench(Self.forced))

        let members = try phone.authenticate(scope: ["otp"]).members

        #expect(members["otp"]?.string?.utf8.count == 6)
        #expect(members["ttlSeconds"] == 60)
        let (now, until) = (members["nowTime"]?.integer, members["expireTime"]?.integer)
        #expect(now.flatMap { now in until.map { $0 - now } } == 60)
    }

    @Test
    func `a client of the first generation gets its digits in the second pass and times in milliseconds`()
        throws
    {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let x = Scalar(5)
        let y = try #require(
            try bench.post(
                "/miracl/rps/v2/pass1", ["mpin_id": phone.mpinID, "U": phone.client.commitment(x).u.hex]
            ).fields["y"])
        let v = phone.client.proof(x, challenge: try Scalar(hex: y), pin: Phone.pin)

        let second = try bench.post(
            "/miracl/rps/v2/pass2",
            ["mpin_id": .string(phone.mpinID), "V": .string(v.hex), "OTP": true, "WID": "0"]
                as [String: JSONValue])
        #expect(second.fields["OTP"]?.utf8.count == 6)
        let done = try bench.post(
            "/miracl/rps/v2/authenticate",
            ["mpinResponse": ["authOTT": second.members["authOTT"] ?? .null] as JSONValue]
                as [String: JSONValue])
        #expect(done.status == .ok)
        let members = done.members
        #expect(members["otp"] == nil)
        let (now, until) = (members["nowTime"]?.integer, members["expireTime"]?.integer)
        #expect(now.flatMap { now in until.map { $0 - now } } == 60_000)
    }

    @Test func `registration codes can be switched off, or kept from devices that came by one`() throws {
        let off = try Phone(on: TestProject.bench(Self.forced + "\"enable_registration_code\": false,"))
        #expect(try off.authenticate(scope: ["reg-code"]).status == .forbidden)

        let bench = try TestProject.bench(
            "\"force_activated_users\": [\"ada@example.org\"], \"limit_reg_code_verified\": true,")
        let phone = try Phone(on: bench)
        #expect(try phone.authenticate(scope: ["reg-code"]).status == .ok)
        try bench.world.database.write { db in
            var identity = try #require(try Identity.find(phone.mpinID, in: db))
            identity.origin = .registrationCode
            try db.update(identity)
        }
        let limited = try phone.authenticate(scope: ["reg-code"])
        #expect(limited.status == .forbidden)
        #expect(
            limited.json
                == refusal(
                    "LIMITED_QUICKCODE_GENERATION", "Generating a code is not allowed for this identity"))
    }

    @Test func `a proof without a session brings the code of the only application`() throws {
        let phone = try Phone(on: TestProject.bench(Self.forced))

        let code = try phone.authenticate(scope: ["authcode"]).fields["code"]

        let tokens = phone.bench.send(
            .post, "/miracl/oidc/token",
            body: Array(
                "grant_type=authorization_code&code=\(code ?? "")&client_id=shop&client_secret=shop-secret"
                    .utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(tokens.status == .ok, "\(tokens.text)")
        #expect(tokens.members["expires_in"] == 900)
    }
}
