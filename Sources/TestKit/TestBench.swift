import Synchronization
import Essentials
package import HTTP
package import PlatformKit

/// One platform in a world of its own: in memory, at a hand-set time, with seeded chance. It talks to the dispatcher, no socket.
///
/// Each refusal is held against the state before it: see ``CountsRefusals``.
package struct TestBench<P: Platform>: Sendable {
    /// Scheme and authority that requests carry.
    package static var origin: String { "http://localhost:8420" }

    package let time = ManualTime()
    package let worlds: Worlds
    package let world: World
    /// What the program would have told on standard error.
    package let reports = Reports()
    private let dispatcher: Dispatcher
    private let watch: RefusalWatch<P>

    /// - Parameters:
    ///   - fixtures: a fixture file; the test's signing keys are lent to it when it brings none.
    ///   - seed: the same seed tells the same story.
    ///   - controlToken: as if other machines reached the program; nil for none.
    ///   - change: what else `serve` was told.
    package init(
        _: P.Type, fixtures: String = "{}", seed: UInt64 = 1, controlToken: String? = nil,
        serving change: (inout Dispatcher.Settings) -> Void = { _ in }
    ) throws {
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: P.name))
        settings.seed = seed
        settings.realTime = { [time] in time.now }
        worlds = try Worlds(
            sections: [P.self], fixtures: FixtureSet(text: Array(fixtures.utf8), file: "test fixtures"),
            settings: settings)
        guard let world = try worlds.world(Worlds.defaultName) else { throw WorldMissing() }
        self.world = world
        var rules = Dispatcher.Settings()
        rules.controlToken = ControlToken(controlToken)
        rules.report = { [reports] in reports.add($0) }
        change(&rules)
        dispatcher = Dispatcher(worlds: worlds, platforms: [P.self], settings: rules)
        watch = RefusalWatch(world)
    }

    /// The world's clock: `bench.clock.advance(seconds: 300)`.
    package var clock: WorldClock { world.clock }

    /// Newest first.
    package var messages: [SentMessage] {
        get throws { try world.outbox.messages(OutboxStore.Query()) }
    }

    /// Newest first.
    package var journal: [JournalEntry] { world.journal.entries() }

    /// The explanation of the newest request, as the developer reads it.
    package var explanation: String? { journal.first { $0.kind == .request }?.explanation }

    /// Entries of the journal whose explanation is not in the form of the house: a capital first, a full stop last.
    package var misshapenExplanations: [String] {
        journal.compactMap(\.explanation).filter { text in
            text.first?.isUppercase != true || text.last != "." || text.hasSuffix("..")
        }
    }

    /// The answer; for one that is not there yet the calling thread waits.
    package func send(_ request: Request) -> Response {
        var request = request
        if request.headers["Host"] == nil { request.headers["Host"] = "localhost:8420" }
        return watch.watching(request) { dispatcher.respond(to: request).awaited() }
    }

    /// - Parameter path: with a query, where there is one: `/acme/things?page=2`.
    package func send(
        _ method: Request.Method, _ path: String, body: [UInt8] = [], headers: Headers = [:]
    ) -> Response {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        return send(
            Request(method, parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers, body: body))
    }

    package func get(_ path: String, headers: Headers = [:]) -> Response {
        send(.get, path, headers: headers)
    }

    package func delete(_ path: String, headers: Headers = [:]) -> Response {
        send(.delete, path, headers: headers)
    }

    package func post(_ path: String, _ json: some Encodable, headers: Headers = [:]) throws -> Response {
        try send(.post, path, json, headers)
    }

    package func put(_ path: String, _ json: some Encodable, headers: Headers = [:]) throws -> Response {
        try send(.put, path, json, headers)
    }

    package func patch(_ path: String, _ json: some Encodable, headers: Headers = [:]) throws -> Response {
        try send(.patch, path, json, headers)
    }

    /// A body that is sent as it stands, labelled as JSON.
    package func post(_ path: String, raw json: String, headers: Headers = [:]) -> Response {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return send(.post, path, body: Array(json.utf8), headers: headers)
    }

    private func send(
        _ method: Request.Method, _ path: String, _ json: some Encodable, _ headers: Headers
    ) throws -> Response {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return send(method, path, body: Array(try JSONEncoder().encode(json)), headers: headers)
    }
}

struct WorldMissing: Error {}

/// Lines that the program would have written to standard error.
package final class Reports: Sendable {
    private let kept = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { kept.withLock { $0 } }
    package func add(_ line: String) { kept.withLock { $0.append(line) } }
}
