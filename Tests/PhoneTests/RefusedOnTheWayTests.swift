import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Phone

/// What phones send to PowerAuth, when it comes again, too late, or changed by somebody on the way: a server that does not look is noticed.
@Suite struct RefusedOnTheWayTests {
    private func verify(_ header: String, _ bench: PhoneBench) throws -> Response {
        try bench.call(
            .post, PhoneBench.base + "/v2/token/verify", ["authHeader": .string(header)],
            headers: ["Authorization": PhoneBench.basic("office")])
    }

    @Test func `the header of a token is good once, in its time, and as it is`() throws {
        let bench = try PhoneBench()
        try bench.enrol()
        func header() throws -> String {
            let order = SigningOrder(method: "POST", uriID: "", body: [], by: .possession, token: "shop")
            return try bench.done { try $0.sign(nil, order) }[0].value
        }
        func isValid(_ header: String) throws -> Bool {
            let response = try verify(header, bench)
            return try response.status == .ok && JSONValue(parsing: response.bytes)["tokenValid"] == true
        }
        let good = try header()
        let old = try header()
        let early = try header()
        var changed = try header()
        let digest = try #require(changed.firstRange(of: "token_digest=\"")).upperBound
        let sign = changed.remove(at: digest)
        changed.insert(sign == "A" ? "B" : "A", at: digest)

        #expect(try isValid(good))
        #expect(try !isValid(good))
        #expect(try !isValid(changed))
        try bench.world.clock.advance(seconds: -3600)
        #expect(try !isValid(early))
        try bench.world.clock.advance(seconds: 3600 + 7201)
        #expect(try !isValid(old))
    }

    /// A phone asks how to log in at a provider, encrypted for the application.
    private func ask(_ bench: PhoneBench) throws -> PhoneReport {
        var typed = TypedIn()
        typed.provider = "house"
        return try bench.done { [typed] in try $0.enrol(nil, typed) }
    }

    private func isEncrypted(_ request: Request) -> Bool { request.path.hasSuffix("/api/config/oidc") }

    @Test func `an encrypted request is answered once`() throws {
        let bench = try PhoneBench()
        #expect(try ask(bench).kind == "login")

        let sent = try #require(bench.network.requests.last(where: isEncrypted))
        let again = bench.carry(sent)
        #expect(again.status == .badRequest)
        #expect(try JSONValue(parsing: again.bytes)["responseObject"]?["code"] == "ERR_ENCRYPTION")
    }

    @Test func `an encrypted request that was under way for more than a minute is refused`() throws {
        let bench = try PhoneBench()
        bench.network.meddle { [isEncrypted, clock = bench.world.clock] request in
            if isEncrypted(request) { try clock.advance(seconds: 61) }
        }

        let refused = try #require(throws: PhoneRefusal.self) { try ask(bench) }
        #expect(refused.explanation.contains("61"))
    }

    @Test(arguments: [("/api/config/oidc", "mac"), ("/keystore/create", "jwt")])
    func `what was changed on the way is refused`(_ path: String, _ member: String) throws {
        let bench = try PhoneBench()
        bench.network.meddle { request in
            guard request.path.hasSuffix(path) else { return }
            request.body = try Self.changed(member, of: request.body)
        }

        let refused = try #require(throws: PhoneRefusal.self) { try ask(bench) }
        #expect(refused.kind == .refused)
        #expect(bench.network.requests.contains { $0.path.hasSuffix(path) })
    }

    /// With another sign near the end of the member.
    private static func changed(_ member: String, of body: [UInt8]) throws -> [UInt8] {
        var whole = try #require(try JSONValue(parsing: body).object)
        var members = whole["requestObject"]?.object ?? whole
        var signs = Array(try #require(members[member]?.string))
        let place = signs.count - 6
        signs[place] = signs[place] == "A" ? "B" : "A"
        members[member] = .string(String(signs))
        if whole["requestObject"] == nil {
            whole = members
        } else {
            whole["requestObject"] = .object(members)
        }
        return JSONValue.object(whole).bytes
    }

    @Test func `an activation code is good for five minutes`() throws {
        let bench = try PhoneBench()
        let code = try bench.code()

        try bench.world.clock.advance(seconds: 301)
        let refused = try bench.refusal { try $0.scan(code.text, TypedIn()) }
        #expect(refused.sdkError == "PowerAuthErrorCode.networkError")
        let apps = try bench.center.look(at: "ada", in: bench.world).shownApps
        #expect(apps.contains(where: \.isEnrolled) == false)
    }

    @Test func `where a second secret goes with a code, nothing but that activates`() throws {
        let bench = try PhoneBench()
        let code = try bench.code(["otp": "246810", "otpValidation": "ON_KEY_EXCHANGE"])

        for otp in [nil, "135791"] {
            var typed = TypedIn()
            typed.otp = otp
            let refused = try bench.refusal { [typed] in try $0.scan(code.text, typed) }
            #expect(refused.sdkError == "PowerAuthErrorCode.networkError")
        }
        var typed = TypedIn()
        typed.otp = "246810"
        let report = try bench.done { [typed] in try $0.scan(code.text, typed) }
        #expect(report.id == code.id)
        #expect(try bench.office(.get, "/v2/registrations/\(code.id)")["registrationStatus"] == "ACTIVE")
    }
}
