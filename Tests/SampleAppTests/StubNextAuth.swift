import Essentials
import HTTP
import HTTPServer
import Sockets
import Synchronization

/// A nextAuth Server that answers what the test says, on a real socket.
final class StubNextAuth: Sendable, Responder {
    static let nonce = "9f3c0a5be0a14f0c8a1d6b7c2e4f5a60"
    static let serverID = "NP3zfIyXOwwzWEIfcetxjQ=="

    struct Script {
        /// Members of LoginStatus, as the API's description has them.
        var status: [String: JSONValue] = [
            "loggedin": true, "canprovoke": false, "hsid": "aHNpZA", "loginqrdata": "bmEx", "userid": "ada",
            "accountid": 17, "pk": "cGs",
        ]
        var httpStatus = Status.ok
        var attributes = "{\"name\":\"Ada Lovelace\"}"
        var requests: [Request] = []
    }

    private let script = Mutex(Script())

    /// Starts it for as long as `body` runs, and hands over its base URL.
    func run(_ body: (String) throws -> Void) throws {
        let server = HTTPServer(limits: Limits(), responder: self)
        defer { server.stop(grace: 1) }
        for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
            try body("http://127.0.0.1:\(port)/nextauth")
        }
    }

    var requests: [Request] { script.withLock { $0.requests } }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    func respond(to request: Request) -> Response {
        script.withLock { script in
            script.requests.append(request)
            let server = "/nextauth/servers/" + Self.serverID.percentEncoded
            switch (request.method, request.path) {
            case (.get, server + "/sessions/"):
                return Response(
                    status: script.httpStatus, headers: ["Content-Type": "application/json"],
                    body: JSONValue.object(script.status).bytes)
            case (.get, server + "/users/ada/attributes"): return .text(script.attributes)
            default: return .text("nothing here", status: .notFound)
            }
        }
    }

    func bodyLimit(_: Request.Method, _: String) -> Int? { nil }
}
