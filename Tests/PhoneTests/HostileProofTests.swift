import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Phone

/// Answers of the apps of nextAuth and MIRACL with something wrong in them, and phones that go on afterwards as before.
@Suite struct HostileProofTests {
    private static let phones = ["ada", "eva"].map {
        "{\"name\": \"\($0)\", \"owner\": \"\($0)\", \"mail\": \"\($0)@example.com\"}"
    }.joined(separator: ",")

    private func bench(_ platform: String) throws -> PhoneBench {
        let bench = try PhoneBench(phones: Self.phones)
        for phone in ["ada", "eva"] { _ = try bench.done(phone) { try $0.enrol(platform, TypedIn()) } }
        return bench
    }

    private func answer(
        _ id: String, _ fault: PhoneAnswer.Fault?, at platform: String? = nil
    ) -> @Sendable (PhoneSession) throws -> PhoneReport? {
        { try $0.answer(id, PhoneAnswer(.approve, fault: fault, at: platform)) }
    }

    // MARK: - nextAuth

    /// A login that the phone has scanned.
    private func login(_ bench: PhoneBench) throws -> String {
        let code = try bench.call(
            .get, "/nextauth/servers/\(PhoneBench.server)/sessions/qr/login",
            headers: ["X-apikey": "shop-key", "X-nonce": "browser"])
        return try bench.done { [text = code.text] in try $0.scan(text, TypedIn()) }.id
    }

    @Test(arguments: [PhoneAnswer.Fault.changedCounter, .otherData])
    func `what is signed wrong is refused, and the flow can still be approved`(_ fault: PhoneAnswer.Fault)
        throws
    {
        let bench = try bench("nextauth")
        let id = try login(bench)

        let refused = try bench.refusal("ada", answer(id, fault))
        #expect(refused.sdkError == "BAD_SIGNATURE (3)" && refused.kind == .refused)
        #expect(try bench.done("ada", answer(id, nil)).kind == "approved")
    }

    @Test func `a copy of the keys of nextAuth lacks the PIN, which is counted`() throws {
        let bench = try bench("nextauth")
        let id = try login(bench)

        let refused = try bench.refusal("ada", answer(id, .stolenKey))
        #expect(refused.sdkError == "SecondFactor.WRONG" && refused.explanation.hasSuffix("tries left: 4."))
        #expect(try bench.done("ada", answer(id, nil)).kind == "approved")
    }

    @Test func `each step of a flow that comes two times at once is taken once`() throws {
        let bench = try bench("nextauth")

        let told = try bench.done("ada", answer(login(bench), .twice))
        #expect(told.sentence.contains("two times at once: 200; 409, “"))
    }

    @Test func `the id of another phone's flow is worth nothing, and names the app that is meant`() throws {
        let bench = try bench("nextauth")
        let id = try login(bench)

        let refused = try bench.refusal("eva", answer(id, .unasked, at: "nextauth"))
        #expect(refused.sdkError == "FLOW_NOT_FOUND (36)")
        // PowerAuth's app is not on the phone.
        let absent = try bench.refusal("eva", answer(id, .unasked, at: "powerauth"))
        #expect(absent.kind == .absent)
        let unknown = try bench.refusal("eva", answer(id, .unasked, at: "nokia"))
        #expect(unknown.explanation.hasPrefix("Phones have no app for the platform “nokia”"))
        #expect(try bench.refusal("ada", answer(id, .unasked)).kind == .malformed)
        #expect(try bench.done("ada", answer(id, nil)).kind == "approved")
    }

    @Test func `an app names the faults that its protocol has`() throws {
        let bench = try bench("nextauth")
        let id = try login(bench)

        let refused = try bench.refusal("ada", answer(id, .oldProtocol))
        #expect(
            refused.explanation
                == "The app of nextAuth cannot answer with the fault “old-protocol”; it knows “twice”, “changed-counter”, “stolen-key”, “other-data”, “unasked”."
        )
        let shown = try bench.center.look(at: "ada", in: bench.world).requests[0].faults
        #expect(shown == [.twice, .changedCounter, .stolenKey, .otherData])
    }

    // MARK: - MIRACL

    private func session(_ bench: PhoneBench) throws -> String {
        let opened = try bench.call(.post, "/miracl/rps/v2/session", ["projectId": "blue"])
        let code = try #require(try JSONValue(parsing: opened.bytes)["qrURL"]?.string)
        return try bench.done { try $0.scan(code, TypedIn()) }.id
    }

    @Test(arguments: [PhoneAnswer.Fault.changedCounter, .stolenKey])
    func `what is proven wrong is counted as a wrong PIN`(_ fault: PhoneAnswer.Fault) throws {
        let bench = try bench("miracl")
        let id = try session(bench)

        let refused = try bench.refusal("ada", answer(id, fault))
        #expect(refused.sdkError == "AuthenticationException.UnsuccessfulAuthentication")
        #expect(refused.explanation.contains("2 attempts are left"))
        #expect(try bench.done("ada", answer(id, nil)).kind == "approved")
    }

    @Test func `a proof that comes two times at once is taken once`() throws {
        let bench = try bench("miracl")

        let told = try bench.done("ada", answer(session(bench), .twice))
        #expect(told.sentence.contains("two times at once: 200; 403, “"))
        #expect(told.sentence.contains(", then 200; 408, “"))
    }

    @Test func `an identity with a key pair proves nothing without it`() throws {
        let bench = try bench("miracl")
        let id = try session(bench)

        let refused = try bench.refusal("ada", answer(id, .oldProtocol))
        #expect(refused.sdkError == "AuthenticationException.AuthenticationFail")
        #expect(refused.explanation.contains("403 FORBIDDEN"))
        #expect(try bench.refusal("ada", answer(id, .otherData)).kind == .malformed)
        #expect(try bench.done("ada", answer(id, nil)).kind == "approved")
    }

    @Test func `an access code that nobody gave out is worth nothing, and no attempt is counted`() throws {
        let bench = try bench("miracl")
        let nobodys = String(repeating: "0", count: 32)

        for _ in 1...4 {
            let refused = try bench.refusal("ada", answer(nobodys, .unasked, at: "miracl"))
            #expect(refused.sdkError == "AuthenticationException.InvalidAuthenticationSession")
        }
        #expect(try bench.done("ada", answer(session(bench), nil)).kind == "approved")
    }
}
