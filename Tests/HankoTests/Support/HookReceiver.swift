import Essentials
import HTTP
import HTTPServer
import JOSE
import PlatformKit
import Sockets
import Synchronization
import TestKit

@testable import Hanko

/// A back end that webhooks call.
final class HookReceiver: Responder {
    private let requests = Mutex<[Request]>([])
    private let status = Mutex(Status.ok)

    func respond(to request: Request) -> Response {
        requests.withLock { $0.append(request) }
        return Response(status: status.withLock { $0 })
    }

    func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }

    /// What it answers from now on.
    func answer(_ status: Status) { self.status.withLock { $0 = status } }

    var received: [Request] { requests.withLock { $0 } }
}

func withHookReceiver(_ body: (HookReceiver, _ url: String) throws -> Void) throws {
    let receiver = HookReceiver()
    let server = HTTPServer(limits: Limits(), responder: receiver)
    defer { server.stop(grace: 0) }
    guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
        throw HookMissing()
    }
    try body(receiver, "http://127.0.0.1:\(port)")
}

struct HookMissing: Error {}

private struct HookBody: Decodable {
    let token: String
    let event: String
}

extension TestBench where P == Hanko {
    /// Waits until the journal tells of so many calls.
    func awaitCalls(_ count: Int) throws {
        var query = Journal.Query()
        query.kind = .event
        for _ in 0..<60 {
            let entries = world.journal.entries(query)
            if entries.filter({ $0.event?.hasPrefix("callback") == true }).count >= count { return }
            var next = query
            next.after = journal.first?.id ?? 0
            _ = world.journal.entries(next, waiting: 5)
        }
        throw HookMissing()
    }

    /// The claims of a call's token, which a key of the JWKS has signed.
    func claims(of call: Request) throws -> [String: JSONValue] {
        let body = try JSONDecoder().decode(HookBody.self, from: Data(call.body))
        let keys = try get("/hanko/.well-known/jwks.json").json(JWKS.self).keys
        let claims = try JWT.verify(body.token, keys: keys, at: clock.now).decode([String: JSONValue].self)
        guard claims["evt"] == .string(body.event) else { throw HookMissing() }
        return claims
    }
}
