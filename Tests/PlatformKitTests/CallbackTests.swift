import Dispatch
import HTTP
import HTTPServer
import Sockets
import Synchronization
import TestKit
import Testing

@testable import PlatformKit

@Suite struct CallbackTests {
    /// The events that the journal tells of callbacks, waiting for `count` of them.
    private func events(_ count: Int, of bench: TestBench<Acme>) -> [JournalEntry] {
        var found: [JournalEntry] = []
        var query = Journal.Query()
        query.kind = .event
        for _ in 0..<20 where found.count < count {
            query.after = nil
            found = bench.world.journal.entries(query)
            if found.count < count {
                query.after = found.first?.id ?? 0
                _ = bench.world.journal.entries(query, waiting: 5)
            }
        }
        return found
    }

    @Test
    func `a callback that cannot be sent is told in the journal, with the id of the request, and given up`()
        throws
    {
        let bench = try TestBench(Acme.self)

        let response = bench.send(.post, "/acme/call", body: Array("ftp://nowhere".utf8))

        let event = try #require(events(1, of: bench).first)
        #expect(event.event == "callback failed")
        #expect(event.correlation == response.headers["X-Request-Id"])
        #expect(event.explanation?.contains("POST ftp://nowhere, greeting, failed at attempt 1") == true)
        #expect(event.explanation?.hasSuffix("It is given up.") == true)
    }

    @Test func `a back end that nobody runs is tried again`() throws {
        let bench = try TestBench(Acme.self)
        // Port 1 of this machine is nobody's.
        _ = bench.send(.post, "/acme/call", body: Array("http://127.0.0.1:1/hook".utf8))

        let event = try #require(events(1, of: bench).last)
        #expect(event.explanation?.contains("cannot connect to 127.0.0.1:1") == true)
        #expect(event.explanation?.hasSuffix("The next attempt follows in 0.5 s.") == true)
        bench.worlds.close()
    }

    @Test func `more callbacks than may wait are given up at once, and a finished one makes room`() {
        let sender = CallbackSender(limits: CallbackSender.Limits(all: 1))
        defer { sender.cancel() }
        let told = Mutex<[String]>([])
        let callbacks = sender.callbacks(
            JournalNotes { event in told.withLock { $0.append(event.explanation) } })
        func send(_ url: String) -> DispatchSemaphore {
            let ended = DispatchSemaphore(value: 0)
            var callback = Callback(url: url, purpose: "test")
            callback.outcome = { if $0.isLast { ended.signal() } }
            callbacks.send(callback)
            return ended
        }

        // Given up after its first attempt; then the next one has a place.
        #expect(send("ftp://nowhere").wait(timeout: .now() + 10) == .success)
        // Port 1 of this machine is nobody's: this one waits for its second attempt.
        _ = send("http://127.0.0.1:1/first")
        #expect(send("http://127.0.0.1:1/second").wait(timeout: .now()) == .success)

        let dropped = told.withLock { $0.filter { $0.contains("/second") } }
        #expect(dropped.count == 1)
        #expect(dropped.first?.contains("1 callbacks of this world wait already. It is given up.") == true)
    }

    /// A back end that is down at first.
    private final class BackEnd: Responder {
        let bodies = Mutex<[String]>([])

        func respond(to request: Request) -> Response {
            let calls = bodies.withLock { bodies in
                bodies.append(String(decoding: request.body, as: UTF8.self))
                return bodies.count
            }
            return calls == 1 ? Response(status: .serviceUnavailable) : .noContent
        }

        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    @Test func `a back end that is down at first gets the callback later, whole`() throws {
        let backEnd = BackEnd()
        let server = HTTPServer(limits: Limits(), responder: backEnd)
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            Issue.record("no port")
            return
        }
        let bench = try TestBench(Acme.self)

        _ = bench.send(.post, "/acme/call", body: Array("http://127.0.0.1:\(port)/hook".utf8))

        let told = events(2, of: bench).reversed().map { $0.event ?? "" }
        #expect(told == ["callback failed", "callback delivered"])
        #expect(backEnd.bodies.withLock { $0 } == ["hello", "hello"])
        #expect(events(2, of: bench).first?.explanation?.hasSuffix("was accepted at attempt 2.") == true)
    }

    /// A back end with one answer for all.
    private final class Wall: Responder {
        let status: Status
        init(_ status: Status) { self.status = status }
        func respond(to request: Request) -> Response { Response(status: status) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    /// Sends a callback by `rule` to a back end that answers with `status`, and gives the attempts until the last.
    private func attempts(_ status: Status, by rule: RetryRule) throws -> [CallbackAttempt] {
        let server = HTTPServer(limits: Limits(), responder: Wall(status))
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            return []
        }
        let attempts = Mutex<[CallbackAttempt]>([])
        let done = DispatchSemaphore(value: 0)
        var callback = Callback(url: "http://127.0.0.1:\(port)/", purpose: "greeting")
        callback.retry = rule
        callback.outcome = { attempt in
            attempts.withLock { $0.append(attempt) }
            if attempt.isLast { done.signal() }
        }
        CallbackSender().callbacks(JournalNotes { _ in }).send(callback)
        #expect(done.wait(timeout: .now() + 30) == .success)
        return attempts.withLock { $0 }
    }

    @Test
    func `a callback that asks for it is tried again whatever the answer is, and hears of each attempt`()
        throws
    {
        let rule = RetryRule(pauses: [0.001], attemptLimit: 3, timeout: 5, retriesEveryStatus: true)

        let told = try attempts(.badRequest, by: rule)

        #expect(told.map(\.number) == [1, 2, 3])
        #expect(told.map(\.isLast) == [false, false, true])
        #expect(told.allSatisfy { $0.status == 400 && $0.failure == "it was answered with 400 Bad Request" })
        #expect(told.allSatisfy { $0.milliseconds > 0 })
    }

    @Test func `otherwise an answer that says no is the last`() throws {
        #expect(try attempts(.badRequest, by: RetryRule(pauses: [0.001])).map(\.number) == [1])
        let fine = try attempts(.noContent, by: RetryRule(pauses: [0.001]))
        #expect(fine.map(\.status) == [204])
        #expect(fine.map(\.failure) == [nil])
    }

    /// Answers when it is told to.
    private final class Sleeper: Responder {
        let gate = DispatchSemaphore(value: 0)
        func respond(to request: Request) -> Response {
            gate.wait()
            return .noContent
        }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    /// A port where `responder` answers.
    private func start(_ responder: any Responder) throws -> (HTTPServer, port: Int) {
        let server = HTTPServer(limits: Limits(), responder: responder)
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            throw NoPort()
        }
        return (server, port)
    }

    private struct NoPort: Error {}

    @Test func `a receiver that is slow holds up no other one of its world`() throws {
        let sleeper = Sleeper()
        let (slow, slowPort) = try start(sleeper)
        defer { slow.stop(grace: 0) }
        let (quick, quickPort) = try start(Wall(.noContent))
        defer { quick.stop(grace: 0) }
        let sender = CallbackSender()
        let callbacks = sender.callbacks(JournalNotes { _ in })
        let order = Mutex<[String]>([])
        func send(_ port: Int, _ name: String) -> DispatchSemaphore {
            let ended = DispatchSemaphore(value: 0)
            var callback = Callback(url: "http://127.0.0.1:\(port)/\(name)", purpose: name)
            callback.outcome = { _ in
                order.withLock { $0.append(name) }
                ended.signal()
            }
            callbacks.send(callback)
            return ended
        }

        let late = [send(slowPort, "slow-1"), send(slowPort, "slow-2")]
        #expect(send(quickPort, "quick").wait(timeout: .now() + 5) == .success)
        for ended in late {
            sleeper.gate.signal()
            #expect(ended.wait(timeout: .now() + 30) == .success)
        }

        #expect(order.withLock { $0 } == ["quick", "slow-1", "slow-2"])
        sender.stop(seconds: 30)
    }

    @Test func `a receiver has its own limit of callbacks that wait, and leaves room for others`() {
        let sender = CallbackSender(limits: CallbackSender.Limits(all: 3, toOne: 1))
        defer { sender.cancel() }
        let told = Mutex<[String]>([])
        let callbacks = sender.callbacks(
            JournalNotes { event in told.withLock { $0.append(event.explanation) } })
        let firstFailed = DispatchSemaphore(value: 0)
        var first = Callback(url: "http://127.0.0.1:1/first", purpose: "test")
        first.outcome = { _ in firstFailed.signal() }
        callbacks.send(first)
        // Port 1 of this machine is nobody's: it waits for its second attempt.
        #expect(firstFailed.wait(timeout: .now() + 10) == .success)

        callbacks.send(Callback(url: "HTTP://127.0.0.1:1/second", purpose: "test"))
        let dropped = told.withLock { $0.last }
        #expect(dropped?.contains("because 1 callbacks to http://127.0.0.1:1 wait already") == true)

        let otherEnded = DispatchSemaphore(value: 0)
        var other = Callback(url: "ftp://127.0.0.1:1/", purpose: "test")
        other.outcome = { if !($0.failure ?? "").contains("wait already") { otherEnded.signal() } }
        callbacks.send(other)
        #expect(otherEnded.wait(timeout: .now() + 10) == .success)
    }

    @Test(arguments: [
        (400, true), (401, true), (404, true), (410, true), (301, true), (408, false), (429, false),
        (500, false),
        (503, false),
    ])
    func `only what may be different next time is tried again`(_ code: Int, _ isPermanent: Bool) {
        #expect(CallbackRefused(status: Status(code: code)).isPermanent == isPermanent)
    }
}
