import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// How back ends are told. Source: Hanko 2.7, webhooks.
struct WebhookTests {
    private static let id = "ada00000-0000-4000-8000-0000000000b1"

    private func hook(_ url: String, _ events: String = "\"user\"", _ more: String = "") -> String {
        "\"webhooks\": [{\"id\": \"\(Self.id)\", \"callback\": \"\(url)/hook\", \"events\": [\(events)]\(more)}]"
    }

    @Test func `a new user is told with a token that the published keys verify`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url))
            let made = bench.admin(
                .post, "/users", "{\"username\": \"linus\"}", headers: ["User-Agent": "backend/1"])
            try bench.awaitCalls(1)

            let call = try #require(receiver.received.first)
            #expect((call.method, call.path) == (.post, "/hook"))
            #expect(call.headers["Content-Type"] == "application/json")
            let claims = try bench.claims(of: call)
            #expect(Set(claims.keys) == ["sub", "iat", "exp", "aud", "evt", "data"])
            #expect(claims["sub"] == "hanko webhooks")
            #expect(claims["evt"] == "user.create")
            #expect(claims["aud"] == ["localhost"])
            #expect(claims["iat"] == 1_767_323_045)
            #expect(claims["exp"] == 1_767_323_345)
            guard case .object(var data)? = claims["data"] else { throw HookMissing() }
            #expect(data.removeValue(forKey: "ip_address") == "127.0.0.1")
            #expect(data.removeValue(forKey: "user_agent") == "backend/1")
            #expect(JSONValue.object(data) == (try made.value()))
        }
    }

    @Test(arguments: [
        ("user", ["user.create", "user.update.email.create", "user.update.email.primary", "user.delete"]),
        ("user.update", ["user.update.email.create", "user.update.email.primary"]),
        ("user.update.email.primary", ["user.update.email.primary"]),
        ("user.delete", ["user.delete"]),
    ])
    func `a hook hears of every event whose name begins with its own`(registered: String, heard: [String])
        throws
    {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url, "\"\(registered)\""))
            let made = bench.admin(
                .post, "/users", "{\"emails\": [{\"address\": \"l@example.com\", \"is_primary\": true}]}")
            let id = try #require(made.fields["id"])
            let added = bench.admin(.post, "/users/\(id)/emails", "{\"address\": \"m@example.com\"}")
            let emailID = try #require(added.fields["id"])
            #expect(bench.admin(.post, "/users/\(id)/emails/\(emailID)/set_primary").status == .noContent)
            #expect(bench.admin(.delete, "/users/\(id)").status == .noContent)
            try bench.awaitCalls(heard.count)

            let events = try receiver.received.map { try bench.claims(of: $0)["evt"] }
            #expect(events == heard.map(JSONValue.string))
        }
    }

    @Test func `who was deleted is told as the user was`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url))
            let before = bench.admin(.get, "/users/\(Ada.id)")
            _ = bench.admin(.delete, "/users/\(Ada.id)")
            try bench.awaitCalls(1)

            let claims = try bench.claims(of: try #require(receiver.received.first))
            guard case .object(var data)? = claims["data"] else { throw HookMissing() }
            data["ip_address"] = nil
            #expect(JSONValue.object(data) == (try before.value()))
        }
    }

    private func failures(_ bench: TestBench<Hanko>) throws -> JSONValue {
        guard case .object(let hook) = try bench.admin(.get, "/webhooks/\(Self.id)").value() else {
            throw HookMissing()
        }
        return [hook["failures"] ?? nil, hook["enabled"] ?? nil]
    }

    private func cause(_ bench: TestBench<Hanko>, _ number: Int) {
        _ = bench.admin(.post, "/users", "{\"username\": \"user_\(number)\"}")
    }

    @Test func `the sixth failure in a row disables the hook, and a success forgets the others`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url))
            receiver.answer(.internalServerError)
            for number in 1...5 { cause(bench, number) }
            try bench.awaitCalls(5)
            #expect(try failures(bench) == [5, true])

            receiver.answer(.ok)
            try bench.clock.advance(seconds: 86_400)
            cause(bench, 6)
            try bench.awaitCalls(6)
            #expect(try failures(bench) == [0, true])
            // 30 days after the success, a day after the start.
            #expect(bench.admin(.get, "/webhooks/\(Self.id)").fields["expires_at"] == "2026-02-02T03:04:05Z")

            receiver.answer(.badRequest)
            for number in 7...12 { cause(bench, number) }
            try bench.awaitCalls(12)
            #expect(try failures(bench) == [6, false])
            #expect(bench.journal.contains { $0.event == "webhook disabled" })

            cause(bench, 13)
            #expect(receiver.received.count == 12)
            let on = bench.admin(
                .put, "/webhooks/\(Self.id)",
                "{\"callback\": \"\(url)/again\", \"events\": [\"user\"], \"enabled\": true}")
            #expect(on.status == .ok)
            cause(bench, 14)
            try bench.awaitCalls(13)
            #expect(receiver.received.last?.path == "/again")
        }
    }

    @Test func `a call is made once, whatever comes of it`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url))
            receiver.answer(.serviceUnavailable)
            cause(bench, 1)
            try bench.awaitCalls(1)

            #expect(receiver.received.count == 1)
            let told = bench.journal.first { $0.event == "callback failed" }?.explanation
            #expect(told?.hasSuffix("It is given up.") == true)
        }
    }

    @Test(arguments: [(true, 0), (false, 1)])
    func `time ends a hook only where the configuration says so`(ends: Bool, calls: Int) throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                config: "\"webhooks\": {\"allow_time_expiration\": \(ends)}",
                section: hook(url, "\"user\"", ", \"expires_at\": \"2026-01-02T00:00:00Z\""))
            cause(bench, 1)
            try bench.awaitCalls(calls)

            #expect(receiver.received.count == calls)
            #expect(try failures(bench) == [0, .boolean(!ends)])
            #expect(bench.journal.contains { $0.event == "webhook disabled" } == ends)
        }
    }

    @Test(arguments: [(true, 1), (false, 0)])
    func `hooks of the configuration are called where webhooks are enabled`(isEnabled: Bool, calls: Int)
        throws
    {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                config:
                    "\"webhooks\": {\"enabled\": \(isEnabled), \"hooks\": [{\"callback\": \"\(url)/own\", \"events\": [\"user\"]}]}"
            )
            cause(bench, 1)
            try bench.awaitCalls(calls)

            #expect(receiver.received.map(\.path) == Array(repeating: "/own", count: calls))
        }
    }

    @Test(arguments: [true, false])
    func `a mail is told with its code, whether it left or not`(delivers: Bool) throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                config: "\"email_delivery\": {\"enabled\": \(delivers)}", section: hook(url, "\"email.send\"")
            )
            let started = try bench.post(
                "/hanko/passcode/login/initialize", ["user_id": Ada.id],
                headers: ["Accept-Language": "de-AT, en;q=0.5"])
            #expect(started.status == .ok)
            try bench.awaitCalls(1)

            let claims = try bench.claims(of: try #require(receiver.received.first))
            guard case .object(let data)? = claims["data"], case .object(let filled)? = data["data"],
                case .string(let code)? = filled["otp_code"]
            else { throw HookMissing() }
            #expect(
                Set(data.keys) == [
                    "subject", "body_plain", "body", "to_email_address", "delivered_by_hanko",
                    "accept_language", "language", "type", "data",
                ])
            #expect(data["to_email_address"] == .string(Ada.address))
            #expect(data["delivered_by_hanko"] == .boolean(delivers))
            #expect(data["accept_language"] == "de-AT, en;q=0.5")
            // As it came, in both members. Source: Hanko 2.7, handler of passcodes.
            #expect(data["language"] == "de-AT, en;q=0.5")
            #expect(data["type"] == "passcode")
            #expect(
                filled == [
                    "service_name": "Hanko Authentication Service", "otp_code": .string(code), "ttl": 300,
                    "valid_until": 1_767_323_345,
                ])
            #expect(try bench.messages.count == (delivers ? 1 : 0))
            let id = try #require(started.fields["id"])
            #expect(try bench.finishPasscode(id, code).status == .ok)
        }
    }

    @Test func `a mail that nobody delivers stands in the journal with its code`() throws {
        let bench = try TestBench.admin(config: "\"email_delivery\": {\"enabled\": false}")
        let started = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id])

        let told = try #require(bench.events.first { $0.event == "mail not delivered" }?.explanation)
        #expect(told.contains("No webhook subscribes to email.send"))
        let code = try #require(told.firstMatch(of: /Its code is ([0-9]{6})\./)?.1)
        #expect(
            try bench.finishPasscode(#require(started.fields["id"]), String(code)).status == .ok)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `metadata as deep as they may be are told`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(section: hook(url))
            let levels = String(repeating: #"{"a":"#, count: 31) + "1" + String(repeating: "}", count: 31)
            let patched = bench.admin(
                .patch, "/users/\(Ada.id)/metadata", "{\"public_metadata\": \(levels)}")
            #expect(patched.status == .ok)

            #expect(bench.admin(.patch, "/users/\(Ada.id)", "{\"name\": \"Ada\"}").status == .ok)
            try bench.awaitCalls(1)
            #expect(receiver.received.count == 1)
        }
    }
}
