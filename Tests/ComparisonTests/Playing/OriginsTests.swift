import Essentials
import HTTP
import Testing

@testable import Comparison

/// What a request carries that no answer of the recorded service gave.
@Suite struct OriginsTests {
    private static let json: Headers = ["Content-Type": "application/json"]
    private static let chance = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// What becomes of a request that the service took and ours refuses.
    private func verdict(
        of body: String, at path: String = "/oauth/token", after text: String? = nil,
        from url: String = "https://shop.example/config"
    ) throws -> String? {
        var recording = SmallRecording()
        if let text {
            recording.add("GET", url, answer: ["Content-Type": "application/json"], text: text)
        }
        recording.add(
            "POST", "http://localhost:8420/w/rec" + path, ["Content-Type": "application/json"], body: body,
            second: 1, answer: ["Content-Type": "application/json"], text: "{}")
        let routes = ["POST /oauth/token", "GET /oauth/start", "POST /oauth/devices/:id/revocation"]
        return try recording.verdicts(routes) { _, method, _, _ in
            let isRefused = method == .post
            return Stage.Answer(
                status: isRefused ? 400 : 200, headers: Self.json, body: Array("{}".utf8))
        }.last
    }

    @Test(arguments: ["refresh_token", "token", "code", "device_code", "data"])
    func `a secret that no answer gave is older than the recording`(name: String) throws {
        let told = try verdict(of: #"{"\#(name)":"\#(Self.chance)"}"#)
        #expect(
            told
                == "not comparable: its “\(name)” is of something that is older than the recording, or not in it"
        )
    }

    @Test func `of what a camera read an answer may have told a part`() throws {
        let json = ["Content-Type": "application/json"]
        var recording = SmallRecording()
        recording.add(
            "GET", "http://localhost:8420/w/rec/oauth/start", answer: json,
            text: #"{"hsid":"\#(Self.chance)"}"#)
        recording.add(
            "POST", "http://localhost:8420/w/rec/oauth/token", json,
            body: #"{"data":"na1;E;\#(Self.chance);ky7H0Y09bvrkmEjZevp0iw"}"#, second: 1, answer: json,
            text: "{}")
        let others = [
            "one": "16DUQ2ksp8WUE07-8MR2n3c9DK3AH-dmwI5iH_LrYBo",
            "two": "zAH5cvVz-tL9au7A1wewwh_IT9JsL2liqwoqOXAzOwE",
        ]
        let told = try recording.verdicts(["POST /oauth/token", "GET /oauth/start"]) { world, method, _, _ in
            Stage.Answer(
                status: method == .post ? 410 : 200, headers: Self.json,
                body: Array(#"{"hsid":"\#(others[world] ?? "")"}"#.utf8))
        }.last
        #expect(
            told
                == "not comparable: its “data” is of something that is older than the recording, or not in it"
        )
    }

    // RFC 7636 §4.1, RFC 9126 §2.1: these are the client's own.
    @Test(arguments: ["code_verifier", "state", "nonce"])
    func `what clients make is no such secret`(name: String) throws {
        #expect(try verdict(of: #"{"\#(name)":"\#(Self.chance)"}"#) == "differs: status")
    }

    @Test func `a secret that an answer of the service gave differs as anything else`() throws {
        let told = try verdict(
            of: #"{"refresh_token":"\#(Self.chance)"}"#, after: #"{"refresh_token":"\#(Self.chance)"}"#,
            from: "http://localhost:8420/w/rec/oauth/start")
        #expect(told == "differs: status" || told == "follows 1")
    }

    @Test func `what another service told is named with its request`() throws {
        let told = try verdict(
            of: #"{"anything":"\#(Self.chance)"}"#, after: #"{"given":"\#(Self.chance)"}"#)
        #expect(told == "not comparable: it carries what another service told in the answer to request #1")
    }

    @Test func `a name in the address that its own answer repeats was not given before`() throws {
        let hash = "5dc52864dff61691eadccdc30430e11cb850c0ffffcd2df269ae754862f0b04e"
        let told = try verdict(of: #"{"reason":"lost"}"#, at: "/oauth/devices/\(hash)/revocation")
        #expect(
            told
                == "not comparable: it is about something that is older than the recording, by the id in its address"
        )
    }
}
