import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct ProfileSessionTests {
    @Test func `another session is ended`() throws {
        let bench = try TestBench.profile()
        let other = try bench.openSession(2)
        let foreign = try bench.openSession(3, of: Grace.id)
        try bench.clock.advance(seconds: 1)
        var client = try bench.profileFlow()
        let id = JSON.string(other.session.id)
        #expect(
            client.inputs(of: "session_delete") == [
                "session_id": [
                    "name": "session_id", "type": "string", "required": true, "hidden": true,
                    "allowed_values": [["value": id, "name": id]],
                ]
            ])
        #expect(client.payload["sessions"]?.array?.map { $0["current"] } == [true, false])
        #expect(bench.get("/hanko/me", headers: try bench.bearer(other)).status == .ok)

        for refused in ["5e550000-0000-4000-8000-000000000001", foreign.session.id, ""] {
            try client.run("session_delete", ["session_id": .string(refused)])
            #expect(client.status == 400)
            #expect(
                client.inputError("session_id", of: "session_delete")
                    == (refused.isEmpty ? "value_missing_error" : "value_invalid_error"))
        }
        try client.run("session_delete", ["session_id": id])
        client.expectProfile()
        #expect(client.payload["sessions"]?.array?.count == 1)
        #expect(bench.suspends("session_delete", because: "the user has no other session"))
        #expect(bench.get("/hanko/me", headers: try bench.bearer(other)).status == .unauthorized)
        #expect(bench.get("/hanko/me", headers: try bench.bearer(foreign)).status == .ok)
    }

    @Test func `sessions stay where revocation is not allowed`() throws {
        let bench = try TestBench.profile(config: #""session": {"allow_revocation": false}"#)
        _ = try bench.openSession(2)

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("session_delete"))
        #expect(bench.suspends("session_delete", because: "session.allow_revocation is false"))
        #expect(client.payload["sessions"]?.array?.count == 2)
    }

    @Test func `sessions that expired or lay idle are not shown`() throws {
        let bench = try TestBench.profile(config: #""session": {"idle_timeout": "30m"}"#)
        _ = try bench.openSession(2)
        try bench.clock.advance(seconds: 1801)

        let client = try bench.profileFlow()
        #expect(client.payload["sessions"]?.array?.count == 1)
        let lasting = try TestBench.profile()
        _ = try lasting.openSession(2)
        try lasting.clock.advance(seconds: 43_200)
        #expect(try lasting.profileFlow().payload["sessions"]?.array?.count == 1)
    }

    @Test(arguments: [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
            "Linux (Chrome)"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
            "macOS (Safari)"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            "iOS (Safari)"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
            "iOS (Chrome)"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
            "Windows (Edge)"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
            "Windows (Firefox)"
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Android (Samsung Browser)"
        ),
        ("curl/8.5.0", " (curl)"), ("okhttp/4.12.0", " (okhttp)"), ("", " ()"),
    ])
    func `user agents have a short form`(userAgent: String, text: String) {
        #expect(ShortUserAgent.text(userAgent) == text)
    }
}
