import Essentials
import HTTP
import HTTPServer
import Sockets
import Synchronization

/// A server of the integrator's that is asked, and answers as the test says.
final class BackEnd: Responder {
    let requests = Mutex<[Request]>([])
    private let answer: @Sendable (Request) -> Response

    private init(_ answer: @escaping @Sendable (Request) -> Response) { self.answer = answer }

    func respond(to request: Request) -> Response {
        requests.withLock { $0.append(request) }
        return answer(request)
    }

    func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }

    var questions: [JSONValue] {
        get throws { try requests.withLock { $0 }.map { try JSONValue(parsing: $0.body) } }
    }

    /// - Parameter body: gets the back end and its address, without a slash at the end.
    static func with(
        _ answer: @escaping @Sendable (Request) -> Response, _ body: (BackEnd, String) throws -> Void
    ) throws {
        let backEnd = BackEnd(answer)
        let server = HTTPServer(limits: Limits(), responder: backEnd)
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            throw NotListening()
        }
        try body(backEnd, "http://127.0.0.1:\(port)")
    }

    static func with(_ json: String, _ body: (BackEnd, String) throws -> Void) throws {
        try with({ _ in Response(body: Array(json.utf8)) }, body)
    }

    private struct NotListening: Error {}
}
