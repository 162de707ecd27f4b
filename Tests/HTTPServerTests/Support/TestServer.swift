import HTTP
import HTTPServer
import Sockets
import Synchronization
import Testing

/// A server on a free port of 127.0.0.1, stopped when the value goes.
final class TestServer: Sendable {
    private struct Handler: Responder {
        let limit: Int?
        let body: @Sendable (Request) -> Response
        let tray: Tray

        func respond(to request: Request) -> Response { body(request) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { path == "/small" ? limit : nil }
        func note(_ incident: Incident) { tray.notes.withLock { $0.append(incident) } }
    }

    private final class Tray: Sendable {
        let notes = Mutex<[Incident]>([])
    }

    private let tray = Tray()

    let server: HTTPServer
    let bound: [BoundAddress]
    let doorPorts: [String: Int]

    /// - Parameters:
    ///   - smallLimit: bytes of body that `/small` accepts.
    init(
        on addresses: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 0)], tls: TLSContext? = nil,
        takesTLSOnly: Bool = false,
        doors: [Door] = [], smallLimit: Int? = nil, limits: Limits = Limits(),
        waits: HandlerWaits = HandlerWaits(),
        _ handler: @escaping @Sendable (Request) -> Response = TestServer.echo
    ) throws {
        server = HTTPServer(
            limits: limits, tls: tls, takesTLSOnly: takesTLSOnly,
            responder: Handler(limit: smallLimit, body: handler, tray: tray), waits: waits)
        var opened: [String: Int] = [:]
        bound = try server.start(on: addresses, doors: doors) { _, others in
            opened = others.compactMapValues { if case .tcp(_, let port) = $0 { port } else { nil } }
        }
        doorPorts = opened
    }

    deinit { server.stop(grace: 0) }

    /// Clients that were turned away.
    var notes: [Incident] { tray.notes.withLock { $0 } }

    var port: Int {
        if case .tcp(_, let port) = bound[0] { port } else { 0 }
    }

    func client(tls: TLSContext? = nil) throws -> RawClient {
        RawClient(try ClientSocket.connect(host: "127.0.0.1", port: port, timeout: 10, tls: tls))
    }

    /// Answers with the method, the path and the body, a line each.
    @Sendable static func echo(_ request: Request) -> Response {
        .text(
            "\(request.method.rawValue)\n\(request.path)\n"
                + String(decoding: request.body, as: UTF8.self))
    }
}

/// Looks until `condition` holds, for at most `seconds`.
func eventually(_ seconds: Double = 10, _ condition: () -> Bool) -> Bool {
    let deadline = System.uptime + seconds
    let pause = Wakeup()
    while !condition() {
        if System.uptime > deadline { return false }
        pause.wait(seconds: 0.002)
    }
    return true
}

extension Limits {
    static func with(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }
}
