import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Comparison

/// What becomes of recorded requests of which our answers, or the recording, are special.
@Suite struct ComparerTests {
    private static let json: Headers = ["Content-Type": "application/json"]

    private func answer(_ text: String, _ status: Int = 200, _ headers: Headers = json) -> Stage.Answer {
        Stage.Answer(status: status, headers: headers, body: Array(text.utf8))
    }

    // RFC 9110 §15.5.5, §15.5.6, §15.6.2: who refuses a path or a method refuses all of the request.
    @Test(arguments: [
        (405, 405, "agrees"), (404, 404, "agrees"), (404, 405, "not emulated"), (200, 404, "not emulated"),
    ])
    func `a route that neither has agrees when both refuse it in the same way`(
        recorded: Int, ours: Int, verdict: String
    ) throws {
        var recording = SmallRecording()
        recording.add(
            "GET", "http://localhost:8420/w/rec/oauth/keys", answer: ["Content-Type": "application/json"],
            text: "{}")
        recording.add("PATCH", "http://localhost:8420/w/rec/oauth/keys", status: recorded)
        let verdicts = try recording.verdicts(["GET /oauth/keys"]) { _, method, _, _ in
            method == .get ? answer("{}") : answer("", ours, [:])
        }
        #expect(verdicts == ["agrees", verdict])
    }

    @Test func `who may read an answer is the service itself, there and here`() throws {
        var recording = SmallRecording()
        recording.add(
            "GET", "http://localhost:8420/w/rec/oauth/keys", ["Origin": "http://localhost:8420"],
            answer: [
                "Content-Type": "application/json", "Access-Control-Allow-Origin": "http://localhost:8420",
            ], text: "{}")
        recording.add(
            "GET", "http://localhost:8420/w/rec/oauth/keys", ["Origin": "https://shop.example"],
            answer: [
                "Content-Type": "application/json", "Access-Control-Allow-Origin": "https://shop.example",
            ], text: "{}")
        let verdicts = try recording.verdicts(["GET /oauth/keys"]) { _, _, _, headers in
            let origin =
                headers["Origin"] == "https://shop.example" ? "https://other.example" : headers["Origin"]
            return answer(
                "{}", 200, ["Content-Type": "application/json", "Access-Control-Allow-Origin": origin ?? ""])
        }
        #expect(verdicts == ["agrees", "differs: header Access-Control-Allow-Origin"])
    }

    // RFC 9449 §4.1, figure 1; RFC 7523 §2.2.
    @Test func `a proof that is made again does not stand for another one beside it`() throws {
        let proof =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldW"
            + "QVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2My"
            + "bFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP"
            + "0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
        var recording = SmallRecording()
        recording.add(
            "POST", "http://localhost:8420/w/rec/oauth/par",
            ["DPoP": proof, "Content-Type": "application/x-www-form-urlencoded"],
            body: "client_id=bank&client_assertion=of.a.client", status: 400,
            answer: ["Content-Type": "application/json"], text: #"{"error":"invalid_request"}"#)
        let verdicts = try recording.verdicts(["POST /oauth/par"]) { _, _, _, _ in
            answer(#"{"error":"invalid_client"}"#, 401)
        }
        #expect(
            verdicts == [
                "not comparable: it carries a JWT that the client signed, and the recording does not have the key"
            ])
    }

    // Keys are changed by whoever runs a service, and never by a client. Source: RFC 7517 §5.
    @Test func `keys that the service changed meanwhile are told as that`() throws {
        @Sendable func keys(_ ids: [String]) -> String {
            #"{"keys":[\#(ids.map { #"{"kty":"EC","crv":"P-256","kid":"\#($0)"}"# }.joined(separator: ","))]}"#
        }
        let (old, new) = ("5d0c3a4e-7f4e-4c57-8a25-11d1f5b0a0e3", "0e9b3c1d-1111-4c57-8a25-11d1f5b0a0e3")
        var recording = SmallRecording()
        for (second, ids) in [[old], [new, old], [new, old]].enumerated() {
            recording.add(
                "GET", "http://localhost:8420/w/rec/oauth/v1/keys", second: second,
                answer: ["Content-Type": "application/json"], text: keys(ids))
        }
        let verdicts = try recording.verdicts(["GET /oauth/v1/keys"]) { _, _, _, _ in answer(keys([old])) }
        let told =
            "not comparable: it tells what the service itself changed after request #1, which nothing in the recording asks for"
        #expect(verdicts == ["agrees", told, told])
    }

    @Test func `keys that were never as ours differ`() throws {
        var recording = SmallRecording()
        for second in [0, 1] {
            recording.add(
                "GET", "http://localhost:8420/w/rec/oauth/v1/keys", second: second,
                answer: ["Content-Type": "application/json"], text: #"{"keys":[{"kty":"RSA","n":"AQAB"}]}"#)
        }
        let verdicts = try recording.verdicts(["GET /oauth/v1/keys"]) { _, _, _, _ in
            answer(#"{"keys":[{"kty":"RSA"}]}"#)
        }
        #expect(verdicts == ["differs: body keys[].n", "differs: body keys[].n"])
    }

    @Test func `two requests at the same time may have been taken in either order`() throws {
        let list = "http://localhost:8420/w/rec/nextauth/events"
        var recording = SmallRecording()
        recording.add(
            "GET", list, milliseconds: 400, answer: ["Content-Type": "application/json"], text: #"{"last":1}"#
        )
        recording.add("PUT", "http://localhost:8420/w/rec/nextauth/server", milliseconds: 450, status: 204)
        recording.add(
            "GET", list, second: 3, answer: ["Content-Type": "application/json"], text: #"{"last":2}"#)
        recording.add("PUT", "http://localhost:8420/w/rec/nextauth/server", second: 4, status: 204)
        let changes = Counter()
        let verdicts = try recording.verdicts(["GET /nextauth/events", "PUT /nextauth/server"]) {
            world, method, _, _ in
            if method == .put {
                changes.add(world)
                return answer("", 204, [:])
            }
            return answer(#"{"last":\#(changes.count(world))}"#)
        }
        // The third was over before the fourth began.
        #expect(verdicts == ["agrees", "agrees", "differs: body last", "agrees"])
    }

    @Test func `of two requests at once either may have been counted first`() throws {
        /// Two wrong PINs, of which the recording has other counts than a world of ours, which tells 2 and then 1.
        func verdicts(_ first: Int, _ second: Int, gap: Int = 0) throws -> [String] {
            var recording = SmallRecording()
            for (left, begin) in [(first, 0), (second, gap)] {
                recording.add(
                    "POST", "http://localhost:8420/w/rec/nextauth/pin", body: "wrong", second: begin,
                    milliseconds: 400, answer: ["Content-Type": "application/json"],
                    text: #"{"left":\#(left)}"#)
            }
            let tries = Counter()
            return try recording.verdicts(["POST /nextauth/pin"]) { world, _, _, _ in
                tries.add(world)
                return answer(#"{"left":\#(3 - tries.count(world))}"#)
            }
        }
        let swapped = try verdicts(1, 2)
        #expect(
            swapped
                == [2, 1].map {
                    "not comparable: request #\($0) was under way at the same time, and which of them was taken first the recording does not tell"
                })
        // One was over before the other began; and no order of the two explains a 4.
        #expect(try verdicts(1, 2, gap: 1) == ["differs: body left", "differs: body left"])
        #expect(try verdicts(2, 4) == ["agrees", "differs: body left"])
    }

    @Test(arguments: [(0, true), (3, false)])
    func `a read during a change may have seen either side of it`(second: Int, isUnknown: Bool) throws {
        var recording = SmallRecording()
        recording.add("PUT", "http://localhost:8420/w/rec/nextauth/server", milliseconds: 400, status: 204)
        recording.add(
            "GET", "http://localhost:8420/w/rec/nextauth/state", second: second, milliseconds: 450,
            status: 200,
            answer: ["Content-Type": "application/json"], text: "{}")
        let verdicts = try recording.verdicts(["GET /nextauth/state", "PUT /nextauth/server"]) {
            _, method, _, _ in
            answer("", method == .put ? 204 : 303, [:])
        }
        #expect(
            verdicts[1]
                == (isUnknown
                    ? "not comparable: request #1 was under way at the same time, and which of them was taken first the recording does not tell"
                    : "differs: status"))
    }

    @Test func `who waits for what nobody in the recording does learns nothing from it`() throws {
        var recording = SmallRecording()
        for _ in 1...2 {
            recording.add(
                "GET", "http://localhost:8420/w/rec/nextauth/events?wait=10",
                answer: ["Content-Type": "application/json"], text: #"{"events":[{"type":"SESSION_STOP"}]}"#)
        }
        recording.add(
            "GET", "http://localhost:8420/w/rec/nextauth/session",
            answer: ["Content-Type": "application/json"], text: #"{"loggedin":false}"#)
        let asked = Counter()
        let verdicts = try recording.verdicts(["GET /nextauth/events", "GET /nextauth/session"]) {
            world, _, url, _ in
            if url.hasSuffix("/session") { return answer(#"{"loggedin":true}"#) }
            asked.add(world)
            let seconds = asked.count(world) == 1 ? 0.1 : 10
            return Stage.Answer(
                status: 200, headers: Self.json, body: Array(#"{"events":[]}"#.utf8), seconds: seconds)
        }
        #expect(
            verdicts == [
                "differs: body events", "not comparable: it waits for what nobody in the recording does",
                "follows 2",
            ])
    }

    @Test func `what a service of the client's own has to answer is in no recording`() throws {
        var recording = SmallRecording()
        for _ in 1...2 {
            recording.add(
                "POST", "http://localhost:8420/w/rec/oauth/consent", status: 303,
                answer: ["Location": "https://app.example/cb?error=access_denied"])
        }
        let asked = Counter()
        let verdicts = try recording.verdicts(
            ["POST /oauth/consent"],
            unanswered: { asked.count($0) > 1 ? "http://127.0.0.1:33513" : nil }
        ) { world, _, _, _ in
            asked.add(world)
            return answer("", 303, ["Location": "https://app.example/cb?error=server_error"])
        }
        #expect(
            verdicts == [
                "differs: header Location parameter error",
                "not comparable: it needs an answer of http://127.0.0.1:33513, which is not called here unless the fixtures name it in calls.only",
            ])
    }

    /// A world as Understudy is behind a proxy that tells the client's address.
    private func forwarded(_ world: String, _ method: Request.Method, _ url: String, _ headers: Headers)
        -> Stage.Answer
    {
        let scheme = headers["X-Forwarded-Proto"] ?? "http"
        let prefix = headers["X-Forwarded-Prefix"] ?? ""
        let path = prefix + "/w/\(world)/oauth"
        let cookie = (scheme == "https" ? "__Host-s" + path.replacing("/", with: ".") : "s")
        if url.hasSuffix("/configuration") {
            let issuer = scheme + "://" + (headers["X-Forwarded-Host"] ?? "127.0.0.1:1") + path
            return answer(
                #"{"issuer":"\#(issuer)"}"#, 200,
                [
                    "Content-Type": "application/json",
                    "Set-Cookie": "\(cookie)=\(world)-0123456789abcdef; Path=/; HttpOnly; Secure",
                ])
        }
        let isKnown = headers["Cookie"] == "\(cookie)=\(world)-0123456789abcdef"
        let origin = scheme + "://" + (headers["X-Forwarded-Host"] ?? "127.0.0.1:1")
        return headers["Origin"] == origin && isKnown
            ? answer("", 303, ["Location": path + "/consent"]) : answer("{}", 400)
    }

    // RFC 7239 §4; RFC 6265bis §4.1.3.2 for the prefix of the cookie.
    @Test(arguments: [
        [
            "Forwarded": #"for=127.0.0.1;host="login.example:24646";proto=https"#,
            "X-Forwarded-Prefix": "/idp",
        ],
        [
            "X-Forwarded-Proto": "https", "X-Forwarded-Host": "login.example:24646",
            "X-Forwarded-Prefix": "/idp",
        ],
        [
            "X-Forwarded-Proto": "https", "X-Forwarded-Host": "login.example", "X-Forwarded-Port": "24646",
            "X-Forwarded-Prefix": "/idp",
        ],
    ])
    func `addresses behind a proxy are those that the client has`(fields: [String: String]) throws {
        var recording = SmallRecording()
        recording.add(
            "GET", "http://localhost:8420/w/rec/oauth/configuration", fields,
            answer: [
                "Content-Type": "application/json",
                "Set-Cookie": "__Host-s.idp.w.rec.oauth=fedcba9876543210-recorded; Path=/; HttpOnly; Secure",
            ], text: #"{"issuer":"https://login.example:24646/idp/w/rec/oauth"}"#)
        recording.add(
            "POST", "http://localhost:8420/w/rec/oauth/login",
            fields.merging([
                "Cookie": "__Host-s.idp.w.rec.oauth=fedcba9876543210-recorded",
                "Origin": "https://login.example:24646",
            ]) { $1 }, status: 303, answer: ["Location": "/idp/w/rec/oauth/consent"])
        let verdicts = try recording.verdicts(["GET /oauth/configuration", "POST /oauth/login"]) {
            forwarded($0, $1, $2, $3)
        }
        #expect(verdicts == ["agrees", "agrees"])
    }

    @Test func `an address behind a proxy that is another one differs`() throws {
        var recording = SmallRecording()
        recording.add(
            "POST", "http://localhost:8420/w/rec/oauth/login",
            [
                "X-Forwarded-Proto": "https", "X-Forwarded-Host": "login.example",
                "X-Forwarded-Prefix": "/idp",
            ],
            status: 303, answer: ["Location": "/elsewhere/w/rec/oauth/consent"])
        let verdicts = try recording.verdicts(["POST /oauth/login"]) { world, _, _, _ in
            answer("", 303, ["Location": "/idp/w/\(world)/oauth/consent"])
        }
        #expect(verdicts == ["differs: header Location"])
    }
}
