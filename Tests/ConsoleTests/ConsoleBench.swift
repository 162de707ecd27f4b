import Essentials
import HTTP
import Phone
import PlatformKit
import TestKit
import Testing

@testable import Console

/// The console beside one platform, behind the dispatcher, without a socket. Every answer of the control API is held against
/// its description.
struct ConsoleBench: Sendable {
    static let root = "/_understudy/v1"

    let time = ManualTime()
    let worlds: Worlds
    let world: World
    let reports = Reports()
    private let dispatcher: Dispatcher
    private let contract: Contract

    init(
        fixtures: String = "{}", token: String? = nil, isReady: Bool = true,
        lanAddresses: [String] = ["192.168.1.5", "fe80::1"], instance: String? = nil,
        work: WorkMemory = .unlimited
    ) throws {
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: Acme.name))
        settings.realTime = { [time] in time.now }
        worlds = try Worlds(
            sections: [Acme.self, Phones.self],
            fixtures: FixtureSet(text: Array(fixtures.utf8), file: "test fixtures"),
            settings: settings)
        world = try #require(try worlds.world(Worlds.defaultName))
        var rules = Dispatcher.Settings()
        let console = Console(
            worlds: worlds,
            info: ConsoleInfo(
                version: "1.2.3", instance: instance, platforms: [Acme.self],
                lanAddresses: lanAddresses, work: work, counts: rules.counts,
                isReady: { isReady }, fixtureSchema: { Array(#"{"title":"A schema"}"#.utf8) }),
            web: WebFiles(read: Self.file), access: ControlAccess(token: token),
            phones: PhoneCenter([Acme.self]))
        rules.report = { [reports] in reports.add($0) }
        rules.lostPage = { console.lostPage($0, in: $1) }
        rules.worldlessPage = { console.worldlessPage($0, name: $1) }
        rules.problemPage = { console.problemPage($0, in: $1, $2, $3) }
        dispatcher = Dispatcher(worlds: worlds, platforms: [Acme.self], settings: rules) {
            console.mount(on: &$0)
        }
        contract = try Contract()
    }

    /// A file of `Web/`.
    static let file: @Sendable (String) -> [UInt8]? = { name in
        // A file that cannot be read is one that is not there.
        (try? Data(contentsOf: Self.package.appending(path: "Web/" + name))).map { [UInt8]($0) }
    }

    static let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// - Parameter path: as a client writes it, with a query where there is one.
    func send(
        _ method: Request.Method, _ path: String, body: String = "", headers: Headers = [:]
    ) -> Response {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "localhost:8420" }
        return send(
            Request(
                method, parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers,
                body: Array(body.utf8)))
    }

    func send(_ request: Request) -> Response {
        let response = dispatcher.respond(to: request).awaited()
        contract.check(response, request.method, request.path)
        return response
    }

    /// A call of the control API.
    func get(_ call: String, headers: Headers = [:]) -> Response {
        send(.get, Self.root + call, headers: headers)
    }

    func delete(_ call: String) -> Response { send(.delete, Self.root + call) }

    func post(_ call: String, _ json: String, headers: Headers = [:]) -> Response {
        send(.post, Self.root + call, body: json, headers: Self.json(headers))
    }

    func put(_ call: String, _ json: String, headers: Headers = [:]) -> Response {
        send(.put, Self.root + call, body: json, headers: Self.json(headers))
    }

    private static func json(_ headers: Headers) -> Headers {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return headers
    }

    /// Puts a message into the outbox of a world.
    func deliver(
        _ code: String?, to: String = "ada@example.com", kind: String = "passcode",
        subject: String = "A code",
        html: String? = nil, link: String? = nil, in world: World? = nil
    ) throws {
        let world = world ?? self.world
        try world.services.outbox.deliver(
            Message(
                kind: kind, from: .init("acme@example.com", name: "Acme"), to: .init(to), subject: subject,
                text: "Hello", html: html, code: code, link: link,
                expiresAt: world.clock.now.addingTimeInterval(300), source: "acme"))
    }
}

extension Response {
    /// The `detail` of a problem, once everything else of it is right.
    func detail(_ status: Status, sourceLocation: SourceLocation = #_sourceLocation) -> String {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(headers["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
        #expect(fields["type"] == "about:blank", sourceLocation: sourceLocation)
        #expect(fields["title"] == status.reason, sourceLocation: sourceLocation)
        #expect(fields["status"] == String(status.code), sourceLocation: sourceLocation)
        return fields["detail"] ?? ""
    }
}
