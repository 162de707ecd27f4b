import Dispatch
import Essentials
import HTTP
import HTTPServer
import PlatformKit
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Onegini

/// How a portal is told. Source: Token Server documentation.
struct ResultCallbackTests {
    /// A portal's back end.
    private final class Portal: Responder {
        let requests = Mutex<[Request]>([])
        let status: Status

        init(_ status: Status) { self.status = status }

        func respond(to request: Request) -> Response {
            requests.withLock { $0.append(request) }
            return Response(status: status)
        }

        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    private func withPortal(
        _ status: Status, _ body: (Portal, _ url: String) throws -> Void
    ) throws {
        let portal = Portal(status)
        let server = HTTPServer(limits: Limits(), responder: portal)
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            throw Missing()
        }
        try body(portal, "http://127.0.0.1:\(port)/callback")
    }

    private func finished(_ bench: MobileBench, _ url: String, _ result: String) throws -> String {
        let form = MobileBench.otpForm().filter { $0.0 != "callback_uri" } + [("callback_uri", url)]
        let started = bench.start(form).fields
        let id = try #require(started["transaction_id"])
        let message = try bench.read(bench.fetch(try #require(started["otp"])))
        #expect(try bench.answer(MobileBench.reply(message, result), to: id).status == .ok)
        return id
    }

    @Test func `the portal is told that there is a result, not which, with its credentials`() throws {
        try withPortal(.noContent) { portal, url in
            let bench = try MobileBench(
                """
                "callback_allow_list": true,
                "callbacks": [{"url": "\(url)", "username": "server", "password": "s3cret"}]
                """)

            let id = try finished(bench, url, "deny")
            _ = try CallbackWait(bench).events(1)

            let request = try #require(portal.requests.withLock { $0 }.first)
            #expect(request.method == .post)
            #expect(request.path == "/callback")
            #expect(request.headers["Content-Type"] == "application/json;charset=UTF-8")
            #expect(request.headers["Authorization"] == "Basic " + MobileBench.base64("server:s3cret"))
            #expect(
                try JSONValue(parsing: request.body)
                    == ["callback_uri": .string(url), "transaction_id": .string(id)])
            let notice = try #require(try bench.transaction(id).notices.first)
            #expect((notice.url, notice.status, notice.failure) == (url, 204, nil))
            #expect(try bench.events.first == .pushAuthCallbackSent)
        }
    }

    @Test func `without credentials in the settings there are none in the callback`() throws {
        try withPortal(.ok) { portal, url in
            let bench = try MobileBench()
            _ = try finished(bench, url, "confirm")
            _ = try CallbackWait(bench).events(1)

            #expect(portal.requests.withLock { $0 }.first?.headers["Authorization"] == nil)
        }
    }

    @Test(arguments: [Status.found, .badRequest, .internalServerError])
    func `an answer that is no success fails, and the result stays`(_ status: Status) throws {
        try withPortal(status) { portal, url in
            let bench = try MobileBench()
            let id = try finished(bench, url, "confirm")
            _ = try CallbackWait(bench).events(1)

            #expect(portal.requests.withLock { $0.count } == 1)
            let notice = try #require(try bench.transaction(id).notices.first)
            #expect(notice.status == status.code)
            #expect(notice.failure == "it was answered with \(status.code) \(status.reason)")
            #expect(try bench.events.first == .pushAuthCallbackFailed)
            #expect(bench.result(of: id).fields["is_authenticated"] == "true")
        }
    }

    @Test func `a refused answer is tried again after a second, unlike other callbacks`() throws {
        try withPortal(.badRequest) { _, url in
            let bench = try MobileBench("\"callback_retries\": 1")
            _ = try finished(bench, url, "confirm")

            let told = try CallbackWait(bench).events(1)

            #expect(told.first?.explanation?.hasSuffix("The next attempt follows in 1.0 s.") == true)
            bench.bench.worlds.close()
        }
    }

    @Test func `an expiry is told where the settings ask for it, once`() throws {
        try withPortal(.noContent) { portal, url in
            let bench = try MobileBench("\"callback_on_expiry\": true")
            let form = MobileBench.otpForm().filter { $0.0 != "callback_uri" } + [("callback_uri", url)]
            let id = try #require(bench.start(form).fields["transaction_id"])
            try bench.bench.clock.advance(seconds: 301)

            _ = bench.result(of: id)
            _ = bench.result(of: id)
            _ = try CallbackWait(bench).events(1)

            #expect(portal.requests.withLock { $0.count } == 1)
        }
    }

    @Test func `an expiry is not told otherwise`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.startedOTP()
        try bench.bench.clock.advance(seconds: 301)
        _ = bench.result(of: id)

        #expect(try bench.transaction(id).notices == [])
        #expect(CallbackWait(bench).present == [])
    }
}

/// Waits for what the journal tells of callbacks.
struct CallbackWait {
    private let bench: MobileBench

    init(_ bench: MobileBench) { self.bench = bench }

    /// Newest first.
    var present: [String] {
        bench.bench.journal.compactMap(\.event).filter { $0.hasPrefix("callback") }
    }

    /// At least `count` of them. The attempt is recorded when the next event of the world is asked for.
    func events(_ count: Int) throws -> [JournalEntry] {
        var query = Journal.Query()
        query.kind = .event
        for _ in 0..<40 {
            let found = bench.bench.world.journal.entries(query).filter {
                $0.event?.hasPrefix("callback") == true
            }
            if found.count >= count { return found }
            var next = query
            next.after = bench.bench.journal.first?.id ?? 0
            _ = bench.bench.world.journal.entries(next, waiting: 5)
        }
        throw Missing()
    }
}
