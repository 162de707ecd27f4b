import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct AccessNumberTests {
    /// The number that the classic library's own tests take for a good one.
    @Test func `the check digit is that of the classic clients`() {
        #expect(AccessNumber.adding(checkDigitTo: "403525") == "4035259")
        #expect(AccessNumber.adding(checkDigitTo: "123456") != "1234567")
        // 5 · 2 = 10, and a check digit of 1; 6 · 2 = 12 leaves 10, which is written as zero.
        #expect(AccessNumber.adding(checkDigitTo: "000005") == "0000051")
        #expect(AccessNumber.adding(checkDigitTo: "000006") == "0000060")
    }

    @Test func `a page shows a number, the phone proves with it, and the page signs itself in once`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let phone = try Phone(on: bench)

        let given = bench.send(.post, "/miracl/rps/v2/getAccessNumber").members
        let (number, webOTT) = (given["accessNumber"]?.string ?? "", given["webOTT"]?.string ?? "")
        #expect(number == AccessNumber.adding(checkDigitTo: String(number.dropLast())))
        #expect(given["ttlSeconds"] == 300)
        let (start, end) = (given["localTimeStart"]?.integer ?? 0, given["localTimeEnd"]?.integer ?? 0)
        #expect(end - start == 300_000)
        let ask = { try bench.post("/miracl/rps/v2/accessNumber", ["webOTT": webOTT]) }
        #expect(try ask().json == ["status": "new", "statusCode": 200, "userId": ""])

        #expect(try phone.authenticate(scope: [], wid: number).status == .ok)

        let told = try ask().members
        #expect(told["status"] == "authenticate")
        #expect(told["userId"] == "ada@example.org")
        let own: [String: JSONValue] = ["mpinResponse": ["authOTT": told["authOTT"] ?? ""]]
        #expect(try bench.post("/miracl/rps/v2/authenticate", own).status == .ok)
        #expect(try bench.post("/miracl/rps/v2/authenticate", own).status == .requestTimeout)
    }

    @Test func `a wrong access number is 412, and no attempt is counted`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let phone = try Phone(on: bench)

        let wrong = try phone.authenticate(pin: 1, scope: [], wid: "4035259")

        #expect(wrong.status == .preconditionFailed)
        #expect(wrong.json == refusal("INVALID_AUTH_SESSION", "Invalid or expired session"))
        #expect(try phone.authenticate(pin: 2).status == .unauthorized)
        #expect(bench.explanation?.contains("2 attempts are left") == true)
    }

    @Test func `the page of an access code is not told how to sign in itself`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))

        _ = try phone.signIn(browser.accessID)

        let told = try bench.post("/miracl/rps/v2/accessNumber", ["webOTT": browser.webOTT])
        #expect(told.members["authOTT"] == nil)
        let own: [String: JSONValue] = ["mpinResponse": ["authOTT": .string(browser.webOTT)]]
        #expect(try bench.post("/miracl/rps/v2/authenticate", own).status == .requestTimeout)
    }

    @Test func `a webOTT that nobody was given is refused`() throws {
        let bench = try TestProject.bench()

        let refused = try bench.post("/miracl/rps/v2/accessNumber", ["webOTT": "deadbeef"])

        #expect(refused.status == .notFound)
        #expect(refused.json == refusal("INVALID_AUTH_SESSION", "Invalid or expired session"))
    }
}
