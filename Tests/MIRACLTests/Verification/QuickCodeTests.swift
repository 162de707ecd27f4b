import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

@Suite struct QuickCodeTests {
    private func jwt(_ phone: Phone) throws -> String {
        let done = try phone.authenticate(scope: ["reg-code"], wam: true)
        return try #require(done.members["jwt"]?.string, "\(done.text)")
    }

    private func quickCode(_ bench: TestBench<MIRACL>, _ jwt: String) throws -> Response {
        try bench.post(
            "/miracl/verification/quickcode", ["projectId": "blue", "jwt": jwt, "deviceName": "tablet"])
    }

    @Test func `a registered device brings in another one`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())

        let given = try quickCode(bench, jwt(phone))
        #expect(given.status == .ok)
        #expect(given.members["ttlSeconds"] == 60)
        #expect(
            given.members["expireTime"]?.integer == Int(bench.clock.now.timeIntervalSince1970) + 60)
        let code = try #require(given.members["code"]?.string)
        #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)
        let confirmed = try bench.confirm(code)
        let tablet = try Phone(
            on: bench, activationToken: #require(confirmed.members["actToken"]?.string),
            secretExponent: Scalar(31_337))

        #expect(try tablet.authenticate().status == .ok)
        #expect(try bench.confirm(code).status == .badRequest, "a quick code is good once")
    }

    @Test func `the digits of a proof for a registration code are confirmed like a quick code`() throws {
        let bench = try TestProject.bench("\"limit_reg_code_verified\": true,")
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let digits = try text(phone.authenticate(scope: ["reg-code"]).members, "otp")

        let confirmed = try bench.confirm(digits)
        let token = try #require(confirmed.members["actToken"]?.string, "\(confirmed.text)")
        let tablet = try Phone(on: bench, activationToken: token, secretExponent: Scalar(31_337))

        #expect(try tablet.authenticate().status == .ok)
        #expect(try bench.confirm(digits).status == .badRequest, "they are good once")
        let limited = try tablet.authenticate(scope: ["reg-code"])
        #expect(
            limited.json
                == refusal(
                    "LIMITED_QUICKCODE_GENERATION", "Generating a code is not allowed for this identity"))
    }

    @Test func `five wrong codes spend the digits of a proof too`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let digits = try text(phone.authenticate(scope: ["reg-code"]).members, "otp")
        for _ in 1...5 { _ = try bench.confirm(digits == "000000" ? "000001" : "000000") }
        #expect(try bench.confirm(digits).status == .badRequest)
    }

    @Test func `a device that came by a quick code may be kept from giving one`() throws {
        let bench = try TestProject.bench("\"limit_reg_code_verified\": true,")
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let code = try #require(quickCode(bench, jwt(phone)).members["code"]?.string)
        let token = try #require(bench.confirm(code).members["actToken"]?.string)
        let tablet = try Phone(on: bench, activationToken: token, secretExponent: Scalar(31_337))
        let proof = try tablet.authenticate(scope: ["reg-code"], wam: true)
        #expect(proof.members["otp"] == nil, "no digits either")
        let ownJWT = try text(proof.members, "jwt")

        let refused = try quickCode(bench, ownJWT)

        #expect(refused.status == .forbidden)
        #expect(
            refused.json
                == refusal(
                    "LIMITED_QUICKCODE_GENERATION",
                    "Generating a code is not allowed for this identity"))
    }

    @Test func `a JWT that is old, changed or none is refused`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let jwt = try jwt(phone)
        let unauthorized = refusal("UNAUTHORIZED", "Unauthorized")

        var changed = jwt
        let last = changed.removeLast()
        changed = String(changed.dropLast()) + (changed.last == "A" ? "B" : "A") + String(last)
        for wrong in ["x", changed] {
            let refused = try quickCode(bench, wrong)
            #expect(refused.status == .unauthorized)
            #expect(refused.json == unauthorized)
        }
        try bench.clock.advance(seconds: 60)
        #expect(try quickCode(bench, jwt).json == unauthorized)
        #expect(bench.explanation?.contains("expired") == true)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `the JWT of a proof for something else is refused`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let jwt = try text(phone.authenticate(scope: ["jwt"], wam: true).members, "jwt")

        #expect(try quickCode(bench, jwt).json == refusal("UNAUTHORIZED", "Unauthorized"))
        #expect(bench.explanation?.contains("expected reg-code") == true)
    }

    @Test func `a client of the second generation hears at once that it may give no code`() throws {
        let bench = try TestProject.bench("\"force_activation\": true, \"enable_registration_code\": false,")

        let refused = try Phone(on: bench).authenticate(scope: ["reg-code"])

        #expect(refused.status == .forbidden)
        #expect(refused.members["error"] == "FORBIDDEN")
    }

    @Test func `the JWT of an identity that was revoked since is refused`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let jwt = try jwt(phone)
        try bench.world.database.write { db in
            var identity = try #require(try Identity.find(phone.mpinID, in: db))
            identity.state = .revoked
            try db.update(identity)
        }

        #expect(try quickCode(bench, jwt).status == .unauthorized)
    }

    @Test func `a project without registration codes gives out none`() throws {
        let bench = try TestProject.bench("\"enable_registration_code\": false,")
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let proof = try phone.authenticate(scope: ["reg-code"], wam: true)
        #expect(proof.members["otp"] == nil)

        let refused = try quickCode(bench, text(proof.members, "jwt"))

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "The project gives out no codes"))
    }

    @Test func `five wrong codes spend a quick code`() throws {
        let bench = try TestProject.bench()
        let phone = try Phone(on: bench, activationToken: bench.activationToken())
        let code = try #require(quickCode(bench, jwt(phone)).members["code"]?.string)

        for _ in 1...5 { _ = try bench.confirm(code == "000000" ? "000001" : "000000") }

        #expect(try bench.confirm(code).status == .badRequest)
    }
}
