import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct SessionPushTests {
    private func push(_ bench: TestBench<MIRACL>, to user: String = "ada@example.org") -> Response {
        bench.post("/miracl/pushauth?" + Browser.authorization, raw: "{\"prerollId\": \"\(user)\"}")
    }

    @Test func `a push brings flat texts to the user's device`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let begun = try bench.put(
            "/miracl/rps/v2/user",
            ["userId": "ada@example.org", "deviceName": "phone", "pushToken": "device-token"])
        let (id, regOTT) = (begun.fields["mpinId"] ?? "", begun.fields["regOTT"] ?? "")
        #expect(bench.get("/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)").status == .ok)

        let browser = try Browser(bench, push(bench))

        let message = try #require(bench.messages.first).message
        #expect(message.channel == .push)
        #expect(message.to == .init("device-token", name: "phone"))
        #expect(message.link == browser.qrURL)
        #expect(
            try JSONValue(parsing: Array(message.text.utf8)) == [
                "projectID": "blue", "userID": "ada@example.org", "qrURL": .string(browser.qrURL),
            ])
        #expect(try browser.tell("wid").members["prerollId"] == "ada@example.org")
    }

    @Test func `a user without a push token is refused, and nothing is opened or sent`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        _ = try Phone(on: bench)

        for user in ["ada@example.org", "bob@example.org"] {
            let refused = push(bench, to: user)
            #expect(refused.status == .badRequest)
            #expect(
                refused.json == refusal("NO_PUSH_TOKEN", "The user has no device that takes pushes"))
        }
        #expect(try bench.messages.isEmpty)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `a push without a user is refused`() throws {
        let bench = try TestProject.bench()

        let refused = bench.send(.post, "/miracl/pushauth?" + Browser.authorization)

        #expect(refused.status == .badRequest)
        #expect(
            refused.json
                == refusal(
                    "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "prerollId"]))
    }
}
