import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Phone

/// The app of MIRACL on a simulated phone, against the server over HTTP.
@Suite struct MIRACLPhoneTests {
    private static let generations = ["classic", "mfa", "olderTrust", "trust"]

    private func registered(_ generation: String) throws -> PhoneBench {
        let bench = try PhoneBench(
            phones: "{\"name\": \"ada\", \"owner\": \"ada\", \"mail\": \"ada@example.com\"}")
        var typed = TypedIn()
        typed.version = generation
        let report = try bench.done { [typed] in try $0.enrol("miracl", typed) }
        #expect(report.kind == "activation")
        return bench
    }

    /// - Returns: text of the QR code, and what the page asks with.
    private func session(_ bench: PhoneBench) throws -> (code: String, webOTT: JSONValue) {
        let opened = try bench.call(.post, "/miracl/rps/v2/session", ["projectId": "blue"])
        let told = try JSONValue(parsing: opened.bytes)
        return (try #require(told["qrURL"]?.string), try #require(told["webOTT"]))
    }

    private func standing(_ bench: PhoneBench, _ webOTT: JSONValue) throws -> String? {
        let told = try bench.call(.post, "/miracl/rps/v2/access", ["webOTT": webOTT])
        return try JSONValue(parsing: told.bytes)["status"]?.string
    }

    @Test(arguments: generations)
    func `the owner registers by the mail, and logs a browser in`(_ generation: String) throws {
        let bench = try registered(generation)
        let (code, webOTT) = try session(bench)

        let asked = try bench.done { try $0.scan(code, TypedIn()) }
        #expect(asked.kind == "login")
        #expect(try standing(bench, webOTT) == "user")
        let wrong = try bench.refusal { try $0.answer(asked.id, PhoneAnswer(.approve, by: .wrongPIN)) }
        #expect(wrong.explanation.contains("401") && wrong.explanation.contains("2 attempts are left"))
        #expect(try standing(bench, webOTT) == "user")
        _ = try bench.done { try $0.answer(asked.id, PhoneAnswer(.approve)) }
        #expect(try standing(bench, webOTT) == "authenticated")
    }

    @Test(arguments: generations)
    func `three wrong PINs block the identity, and the session goes from the screen`(_ generation: String)
        throws
    {
        let bench = try registered(generation)
        let (code, _) = try session(bench)
        let id = try bench.done { try $0.scan(code, TypedIn()) }.id

        let errors = try (1...3).map { _ in
            try bench.refusal { try $0.answer(id, PhoneAnswer(.approve, by: .wrongPIN)) }.sdkError
        }
        // mfa-client-sdk-ios, MPinMFA.h; trust-sdk-android, AuthenticationException: the third attempt finds the identity revoked.
        let (wrong, last) =
            generation.lowercased().hasSuffix("trust")
            ? ("AuthenticationException.UnsuccessfulAuthentication", "AuthenticationException.Revoked")
            : ("INCORRECT_PIN (11)", "INCORRECT_PIN (11)")
        #expect(errors == [wrong, wrong, last])
        let look = try bench.center.look(at: "ada", in: bench.world)
        #expect(look.requests.isEmpty && look.shownApps.map(\.isEnrolled) == [false])
        #expect(look.shownApps[0].facts.first { $0.name == "State" }?.value == "BLOCKED")
    }

    @Test func `a phone whose owner has no mail address registers nobody`() throws {
        let bench = try PhoneBench()
        let refused = try bench.refusal { try $0.enrol("miracl", TypedIn()) }
        #expect(refused.explanation.contains("known by their email addresses"))
    }

    @Test func `the address that a person sees is the one that the app is built with`() throws {
        let bench = try registered("mfa")
        let facts = try bench.center.look(at: "ada", in: bench.world).shownApps[0].facts
        let address = try #require(facts.first { $0.name == "Address" }?.value)
        #expect(address == bench.url.replacing("127.0.0.1", with: "localhost") + "/miracl")
    }

    @Test func `a mail of somebody else's, and a link that leads elsewhere, register nobody`() throws {
        let bench = try PhoneBench(
            phones: "{\"name\": \"ada\", \"owner\": \"ada\", \"mail\": \"ada@example.com\"}")
        let early = try bench.refusal {
            try $0.scan("http://localhost/miracl/verification/confirmation?code=1&user_id=a", TypedIn())
        }
        #expect(early.sdkError == "FLOW_ERROR (6)")
        _ = try bench.done { try $0.perform("register", ["protocol": "mfa"], at: "miracl") }
        let foreign = try bench.refusal {
            try $0.scan("http://evil.example/verification/confirmation?code=1&user_id=a", TypedIn())
        }
        #expect(foreign.explanation.contains("leads elsewhere"))
        let unknown = try bench.refusal {
            try $0.perform("register", ["protocol": "4.0"], at: "miracl")
        }
        #expect(unknown.kind == .malformed)
    }
}
