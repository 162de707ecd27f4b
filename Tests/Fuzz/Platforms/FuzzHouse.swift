import Console
import Embedded
import Essentials
import HTTP
import HTTPServer
import Phone
import PlatformKit
import Platforms
import SQLite
import Sockets
import Synchronization

/// All platforms with the built-in cast, behind the dispatcher and without a socket. Each case has a world of its own.
struct FuzzHouse: Sendable {
    let worlds: Worlds
    let dispatcher: Dispatcher
    private let reports = Reports()
    private let network: Network?

    /// - Parameters:
    ///   - isOpen: whether platforms find each other over the network.
    ///   - content: what another house made of the built-in fixtures.
    ///   - folder: where worlds are kept in files; nil keeps them in memory.
    init(isOpen: Bool = false, content: DatabaseImage? = nil, folder: String? = nil) {
        do {
            let fixtures = try FixtureSet(text: Self.builtIn, file: "default.json")
            var settings = Worlds.Settings(builtInFixtures: fixtures)
            settings.seed = 1
            settings.realTime = { Date(timeIntervalSince1970: 1_767_225_600) }
            settings.dataFolder = folder
            worlds =
                try content.map {
                    try Worlds(sections: Platforms.sections, content: $0, settings: settings)
                } ?? Worlds(sections: Platforms.sections, fixtures: fixtures, settings: settings)
        } catch {
            preconditionFailure("the built-in fixtures do not load: \(error)")
        }
        let console = Console(
            worlds: worlds,
            info: ConsoleInfo(version: "0", platforms: Platforms.all),
            web: WebFiles { EmbeddedFile.at("Web/" + $0)?.bytes }, access: ControlAccess(token: nil),
            phones: PhoneCenter(Platforms.sections))
        var rules = Dispatcher.Settings()
        rules.report = { [reports] in reports.add($0) }
        dispatcher = Dispatcher(
            worlds: worlds, platforms: Platforms.all + Platforms.onRequest, settings: rules
        ) {
            console.mount(on: &$0)
        }
        network = isOpen ? Network(dispatcher) : nil
    }

    /// Host and port at which it answers; without a network nobody does.
    var authority: String { "127.0.0.1:\(network?.port ?? 1)" }
    var origin: String { "http://" + authority }
    /// Who asks, as a socket would tell.
    var peer: Request.Peer {
        Request.Peer(address: "127.0.0.1", isLoopback: true, isSecure: false, localAuthority: authority)
    }

    /// The dispatcher behind a socket of the loopback.
    private final class Network: Sendable {
        private struct Entry: Responder {
            let dispatcher: Dispatcher
            func respond(to request: Request) -> Response { dispatcher.respond(to: request) }
            func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
        }

        let port: Int
        private let server: HTTPServer

        init(_ dispatcher: Dispatcher) {
            server = HTTPServer(limits: Limits(), responder: Entry(dispatcher: dispatcher))
            do {
                guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first
                else { preconditionFailure("the server has no port") }
                self.port = port
            } catch {
                preconditionFailure("the server does not start: \(error)")
            }
        }
    }

    static let builtIn = EmbeddedFile.at("Fixtures/default.json")?.bytes ?? []

    /// What the program called a bug of its own since the last time.
    func takeReports() -> [String] { reports.take() }

    private final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }; return lines
            }
        }
    }
}
