import HTTP
import HTTPServer
import Sockets
import Synchronization

/// A token server that answers what the test says, on a real socket.
final class StubTokenServer: Sendable, Responder {
    struct Script {
        var start = Response.noContent
        var result = Response.noContent
        var requests: [Request] = []
    }

    static let transactionID = "cf51a27a-df80-42ad-bdd7-936c476b2c87"
    static let otp = "eyJ0cmFuc2FjdGlvbl9pZCI6ImNmNTFhMjdhIn0="

    private let script = Mutex(Script())

    init() {
        start(
            """
            {"transaction_id": "\(Self.transactionID)", "auth_method": "otp", "time_to_live": 300000, "otp": "\(Self.otp)"}
            """)
    }

    /// Starts it for as long as `body` runs, and hands over its base URL.
    func run(_ body: (String) throws -> Void) throws {
        let server = HTTPServer(limits: Limits(), responder: self)
        defer { server.stop(grace: 1) }
        for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
            try body("http://127.0.0.1:\(port)/oauth")
        }
    }

    var requests: [Request] { script.withLock { $0.requests } }

    func start(_ json: String, status: Status = .ok) {
        script.withLock { $0.start = .text(json, status: status) }
    }

    func result(_ json: String, status: Status = .ok) {
        script.withLock { $0.result = .text(json, status: status) }
    }

    /// The result of a user's yes, as section 3.5 of the vendor's description has it.
    func approve(_ user: String) {
        result(
            """
            {"transaction_id": "\(Self.transactionID)", "callback_uri": "http://x", "timestamp": 1, "is_authenticated": true,
             "authentication_method": "otp", "user_id": "\(user)"}
            """)
    }

    func deny() {
        result(
            """
            {"transaction_id": "\(Self.transactionID)", "callback_uri": "http://x", "timestamp": 1, "is_authenticated": false,
             "user_id": "ada", "not_authenticated_reason": {"reason": "not_accepted", "description": "User rejected push"}}
            """)
    }

    func respond(to request: Request) -> Response {
        script.withLock { script in
            script.requests.append(request)
            return request.method == .post ? script.start : script.result
        }
    }

    func bodyLimit(_: Request.Method, _: String) -> Int? { nil }
}
