import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Phone

/// Answers with something wrong in them, of which a platform refuses most, and a phone that goes on afterwards as before.
@Suite struct HostileAnswerTests {
    private func bench() throws -> (PhoneBench, operation: String) {
        let bench = try PhoneBench()
        try bench.enrol()
        return (bench, try bench.operation())
    }

    private func fact(_ name: String, _ bench: PhoneBench) throws -> String? {
        let app = try #require(bench.center.look(at: "ada", in: bench.world).shownApps.first)
        return app.facts.first { $0.name == name }?.value
    }

    @Test func `an approval that is sent two times at once is taken once`() throws {
        let (bench, operation) = try bench()

        let report = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, fault: .twice)) }
        #expect(report.kind == "approved")
        #expect(report.sentence.contains("It was sent two times at once: 200; 4"))
        #expect(try bench.state(of: operation) == "APPROVED")
        let next = try bench.operation()
        #expect(try bench.done { try $0.answer(next, PhoneAnswer(.approve)) }.kind == "approved")
    }

    @Test(arguments: [PhoneAnswer.Fault.changedCounter, .stolenKey, .oldProtocol])
    func `an approval with a fault is refused, and the phone goes on with its own keys`(
        _ fault: PhoneAnswer.Fault
    ) throws {
        let (bench, operation) = try bench()

        let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, fault: fault)) }
        #expect(refused.kind == .refused)
        #expect(refused.sdkError?.hasPrefix("WPNKnownRestApiError.") == true)
        #expect(try bench.state(of: operation) == "PENDING")
        #expect(try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }.kind == "approved")
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test
    func `a stolen key is enough where possession is, and the phone finds the counter that the thief moved`()
        throws
    {
        let (bench, operation) = try bench()

        let stolen = PhoneAnswer(.decline, fault: .stolenKey)
        #expect(try bench.done { try $0.answer(operation, stolen) }.kind == "declined")
        #expect(try bench.state(of: operation) == "REJECTED")
        let next = try bench.operation()
        #expect(try bench.done { try $0.answer(next, PhoneAnswer(.approve)) }.kind == "approved")
        #expect(try fact("Failed attempts", bench) == "0")
    }

    @Test func `a rooted phone says so to the back end`() throws {
        let (bench, operation) = try bench()

        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve, fault: .rooted)) }
        let detail = try bench.office(.get, "/v2/operations/\(operation)")
        #expect(detail["additionalData"]?["mobileTokenData"] == ["rooted": true])
    }

    @Test func `a code for typing with a changed counter is not valid`() throws {
        let (bench, operation) = try bench()
        let id = try #require(try fact("Activation", bench))
        let made = try bench.office(.get, "/v2/operations/\(operation)/offline/qr?registrationId=\(id)")
        let text = try #require(made["operationQrCodeData"]?.string)
        _ = try bench.done { try $0.scan(text, TypedIn()) }

        func check(_ answer: PhoneAnswer) throws -> JSONValue? {
            let code = try #require(try bench.done { try $0.answer(operation, answer) }.code)
            return try bench.office(
                .post, "/v2/operations/\(operation)/offline/otp",
                ["otp": .string(code), "nonce": made["nonce"] ?? "", "registrationId": .string(id)])[
                    "otpValid"]
        }
        #expect(try check(PhoneAnswer(.approve, fault: .changedCounter)) == false)
        #expect(try check(PhoneAnswer(.approve)) == true)
        _ = try bench.done { try $0.scan(text, TypedIn()) }
        let refused = try bench.refusal { try $0.answer(operation, PhoneAnswer(.approve, fault: .twice)) }
        #expect(refused.kind == .malformed)
    }

    @Test func `a late answer waits for the clock of the world`() throws {
        let (bench, operation) = try bench()

        let planned = try bench.done { try $0.answer(operation, PhoneAnswer(.approve), after: 60) }
        #expect(planned.kind == "scheduled" && planned.id == operation)
        #expect(try bench.state(of: operation) == "PENDING")
        try bench.world.clock.advance(seconds: 61)
        bench.world.clockMoved()
        try bench.until("the answer") { try bench.state(of: operation) == "APPROVED" }
    }

    /// Rows hold whole milliseconds, a clock does not.
    @Test func `a late answer comes in time when the clock stands between two milliseconds`() throws {
        let (bench, operation) = try bench()
        let second = bench.world.clock.now.timeIntervalSince1970.rounded(.up)
        try bench.world.clock.set(now: Date(timeIntervalSince1970: second + 0.0006), frozen: true)

        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve), after: 60) }
        try bench.world.clock.advance(seconds: 60)
        bench.world.clockMoved()
        try bench.until("the answer") { try bench.state(of: operation) == "APPROVED" }
    }

    @Test func `an answer that is too late is refused, and the journal tells with the SDK's name`() throws {
        let (bench, operation) = try bench()

        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve), after: 400) }
        try bench.world.clock.advance(seconds: 401)
        bench.world.clockMoved()
        let failed = { bench.world.journal.entries().first { $0.event == "phone failed" }?.explanation }
        try bench.until("the refusal") { failed() != nil }
        #expect(failed()?.contains("WPNKnownRestApiError.operationExpired") == true)
        #expect(try bench.state(of: operation) == "EXPIRED")
    }
}
