import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Phone

/// Operations of PowerAuth that a phone must not decide, each because of one thing: a server that does not look at it is noticed here.
@Suite struct RefusedOperationTests {
    /// The last two are of one person.
    private static let phones = """
        {"name": "ada", "owner": "ada"}, {"name": "bob", "owner": "bob"}, {"name": "third", "owner": "bob"}
        """
    private let bench: PhoneBench

    init() throws {
        bench = try PhoneBench(phones: Self.phones)
        try bench.enrol()
        try bench.enrol("bob")
    }

    private func failures(of operation: String, as user: String = "office") throws -> JSONValue? {
        try bench.office(.get, "/v2/operations/\(operation)", as: user)["failureCount"]
    }

    private func refusal(_ operation: String, _ answer: PhoneAnswer) throws -> PhoneRefusal {
        try bench.refusal { try $0.answer(operation, answer) }
    }

    /// A push tells the app that there is nothing to decide any more.
    private func untilNothingIsShown() throws {
        try bench.until("the push") { try bench.center.look(at: "ada", in: bench.world).requests.isEmpty }
    }

    private func link(to operation: String, otp: String? = nil) -> String {
        "bank://operation?oid=\(operation)" + (otp.map { "&totp=\($0)" } ?? "")
    }

    @Test func `a blocked activation approves nothing until it is unblocked`() throws {
        let operation = try bench.operation()
        _ = try bench.done { try $0.pending() }
        let id = try #require(try fact("Activation"))

        try bench.office(.put, "/v2/registrations/\(id)", ["change": "BLOCK"])
        try untilNothingIsShown()
        let refused = try refusal(operation, PhoneAnswer(.approve, fault: .unasked))
        #expect(refused.sdkError == "WPNKnownRestApiError.authenticationFailure")
        #expect(try fact("State") == "BLOCKED")
        #expect(try bench.state(of: operation) == "PENDING")

        try bench.office(.put, "/v2/registrations/\(id)", ["change": "UNBLOCK"])
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test func `an answer by possession alone makes up for no wrong PIN`() throws {
        let operation = try bench.operation()
        for _ in 1...2 { _ = try refusal(operation, PhoneAnswer(.approve, by: .wrongPIN)) }

        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.decline, fault: .stolenKey)) }
        #expect(try bench.state(of: operation) == "REJECTED")
        #expect(try fact("Failed attempts") == "2")
    }

    @Test func `an approval of other data is none, and five of them end the operation`() throws {
        let operation = try bench.operation()
        for number in 1...5 {
            let refused = try refusal(operation, PhoneAnswer(.approve, fault: .otherData))
            let error = number < 5 ? "operationFailed" : "operationAlreadyFailed"
            #expect(refused.sdkError == "WPNKnownRestApiError." + error)
            #expect(refused.explanation.contains("*NOther"))
            #expect(try failures(of: operation) == .integer(number))
        }
        #expect(try bench.state(of: operation) == "FAILED")
        try untilNothingIsShown()
        let late = try refusal(operation, PhoneAnswer(.approve, fault: .unasked))
        #expect(late.sdkError == "WPNKnownRestApiError.operationAlreadyFailed")
        #expect(try bench.state(of: operation) == "FAILED")
        #expect(try fact("Failed attempts") == "0")
    }

    @Test func `an operation of somebody else is neither shown nor decided, whoever knows its id`() throws {
        let operation = try bench.operation(["userId": "bob"])

        let claimed = try bench.refusal { [link = link(to: operation)] in try $0.scan(link, TypedIn()) }
        #expect(claimed.sdkError == "WPNKnownRestApiError.invalidOperation")
        #expect(claimed.explanation.contains("belongs to another user"))
        for answer in [PhoneAnswer(.approve, fault: .unasked), PhoneAnswer(.decline, fault: .unasked)] {
            let refused = try refusal(operation, answer)
            #expect(refused.kind == .refused && refused.sdkError?.hasPrefix("WPNKnownRestApiError.") == true)
        }
        #expect(try failures(of: operation) == 0)
        #expect(try bench.state(of: operation) == "PENDING")
        _ = try bench.done("bob") { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test func `an operation of nobody is the first one's who scans it, and nobody's who does not`() throws {
        let made = try bench.office(.post, "/v2/operations", ["template": "login"])
        let operation = try #require(made["operationId"]?.string)

        _ = try refusal(operation, PhoneAnswer(.approve, fault: .unasked))
        #expect(try bench.state(of: operation) == "PENDING")
        let link = link(to: operation)
        #expect(try bench.done("bob") { try $0.scan(link, TypedIn()) }.id == operation)
        let late = try bench.refusal { try $0.scan(link, TypedIn()) }
        #expect(late.sdkError == "WPNKnownRestApiError.invalidOperation")
        _ = try bench.done("bob") { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.office(.get, "/v2/operations/\(operation)")["userId"] == "bob")
    }

    @Test func `an operation of another application is not decided, though it is the same person's`() throws {
        let made = try bench.office(
            .post, "/v2/operations", ["template": "login", "userId": "ada"], as: "branch")
        let operation = try #require(made["operationId"]?.string)
        #expect(try bench.done { try $0.pending() } == [])

        let refused = try refusal(operation, PhoneAnswer(.approve, fault: .unasked))
        #expect(refused.sdkError == "WPNKnownRestApiError.operationFailed")
        #expect(refused.explanation.contains("other-app"))
        #expect(try failures(of: operation, as: "branch") == 1)
        let declined = try refusal(operation, PhoneAnswer(.decline, fault: .unasked))
        #expect(declined.kind == .refused)
        let told = try bench.office(.get, "/v2/operations/\(operation)", as: "branch")
        #expect(told["status"] == "PENDING")
    }

    @Test func `an operation that is bound to one phone, or wants a flag, is not decided by another`() throws
    {
        let other = try #require(try fact("Activation", of: "bob"))
        try bench.office(.put, "/v2/registrations/\(other)", ["flags": ["TRUSTED"]])
        let bound = try bench.operation(["userId": "bob", "registrationId": .string(other)])
        let second = PhoneAnswer(.approve, fault: .unasked)
        try bench.enrol("third")
        _ = try bench.refusal("third") { try $0.answer(bound, second) }
        #expect(try failures(of: bound) == 1)

        let flagged = try bench.operation(["userId": "bob", "flag": "TRUSTED"])
        let refused = try bench.refusal("third") { try $0.answer(flagged, PhoneAnswer(.approve)) }
        #expect(refused.explanation.contains("OPERATION_REQUIRES_ACTIVATION_FLAG"))
        for operation in [bound, flagged] {
            #expect(try bench.state(of: operation) == "PENDING")
            _ = try bench.done("bob") { try $0.answer(operation, PhoneAnswer(.approve)) }
            #expect(try bench.state(of: operation) == "APPROVED")
        }
    }

    @Test func `what a phone was asked about is not answered as if it had not been`() throws {
        let operation = try bench.operation()

        let refused = try refusal(operation, PhoneAnswer(.approve, fault: .unasked))
        #expect(refused.kind == .malformed)
        #expect(try bench.state(of: operation) == "PENDING")
    }

    @Test func `a check of nearness wants the code that is on the screen`() throws {
        let made = try bench.office(
            .post, "/v2/operations",
            ["template": "login", "userId": "ada", "proximityCheckEnabled": true])
        let operation = try #require(made["operationId"]?.string)
        let otp = try #require(made["proximityOtp"]?.string)
        let wrong = String(otp.map { $0 == "9" ? "0" : "9" })

        let pushed = try refusal(operation, PhoneAnswer(.approve))
        #expect(pushed.sdkError == "WPNKnownRestApiError.operationFailed")
        for (number, code) in [wrong, otp].enumerated() {
            _ = try bench.done { [link = link(to: operation, otp: code)] in try $0.scan(link, TypedIn()) }
            guard number == 0 else { break }
            let refused = try refusal(operation, PhoneAnswer(.approve))
            #expect(refused.explanation.contains(wrong))
        }
        #expect(try failures(of: operation) == 2)
        _ = try bench.done { try $0.answer(operation, PhoneAnswer(.approve)) }
        #expect(try bench.state(of: operation) == "APPROVED")
    }

    @Test func `a message in the inbox of somebody else is not opened`() throws {
        let made = try bench.office(
            .post, "/v2/inbox/messages",
            [
                "userId": "bob", "subject": "Your card", "summary": "It is on its way",
                "body": "It is on its way to you.",
            ])
        let id = try #require(made["id"]?.string)

        let refused = try bench.refusal { try $0.message(id) }
        #expect(refused.explanation.contains("INBOX_FAILED"))
        #expect(try bench.done("bob") { try $0.message(id) }.body == "It is on its way to you.")
    }

    private func fact(_ name: String, of phone: String = "ada") throws -> String? {
        let app = try #require(bench.center.look(at: phone, in: bench.world).shownApps.first)
        return app.facts.first { $0.name == name }?.value
    }
}
