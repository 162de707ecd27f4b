import Crypto
import Essentials
import HTTP
import HTTPServer
import PlatformKit
import PowerAuthDevice
import SQLite
import Sockets
import Synchronization
import TestKit

@testable import PowerAuth

/// A back end that is told, and an authorization server at `/token` whose tokens live for 100 s.
final class Receiver: Responder {
    let requests = Mutex<[Request]>([])
    private let status: Status
    /// How many refusals are left.
    private let refusals: Mutex<Int>
    private let tokens = Mutex(0)

    init(_ status: Status, times: Int) {
        self.status = status
        refusals = Mutex(times)
    }

    func respond(to request: Request) -> Response {
        requests.withLock { $0.append(request) }
        if request.path == "/token" {
            let count = tokens.withLock { count in
                count += 1
                return count
            }
            return .flat(["access_token": .string("token-\(count)"), "expires_in": 100])
        }
        let isRefused = refusals.withLock { count in
            count -= 1
            return count >= 0
        }
        return Response(status: isRefused ? status : .ok)
    }

    func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }

    /// What was told, in order.
    func bodies() throws -> [JSONValue] {
        try requests.withLock { $0 }.filter { $0.path == "/told" }.map { try JSONValue(parsing: $0.body) }
    }

    var keys: [String] {
        requests.withLock { $0 }.filter { $0.path == "/told" }.compactMap { $0.headers["Idempotency-Key"] }
    }
}

/// - Parameters:
///   - status: of the first answers.
///   - times: how many of them.
func withReceiver(
    _ status: Status = .ok, times: Int = .max, _ body: (Receiver, _ url: String) throws -> Void
) throws {
    let receiver = Receiver(status, times: status == .ok ? 0 : times)
    let server = HTTPServer(limits: Limits(), responder: receiver)
    defer { server.stop(grace: 0) }
    guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
        throw ReceiverMissing()
    }
    try body(receiver, "http://127.0.0.1:\(port)")
}

struct ReceiverMissing: Error {}

extension OfficeBench {
    /// Waits until the journal tells of so many attempts, those that were not made among them.
    func awaitCallbacks(_ count: Int) throws {
        var query = Journal.Query()
        query.kind = .event
        for _ in 0..<60 {
            let entries = bench.world.journal.entries(query)
            if entries.filter({ $0.event?.hasPrefix("callback") == true }).count >= count { return }
            query.after = nil
            var next = query
            next.after = bench.journal.first?.id ?? 0
            _ = bench.world.journal.entries(next, waiting: 5)
        }
        throw ReceiverMissing()
    }

    /// Oldest first.
    func events() throws -> [CallbackEvent] {
        try bench.world.database.read { try $0.all(CallbackEvent.self) }
    }
}
