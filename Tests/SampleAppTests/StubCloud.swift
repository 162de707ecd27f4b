import Essentials
import HTTP
import HTTPServer
import Sockets
import Synchronization

/// A PowerAuth Cloud that answers what the test says, on a real socket.
final class StubCloud: Sendable, Responder {
    static let operationID = "5f6d2f0e-8a29-4a44-9a0c-3a7d0d8f1b02"
    static let registrationID = "0b1d6a7e-5c55-4a0e-8c2e-1e2d9c0f7a11"
    static let authorization = "PowerAuth pa_version=\"3.3\", pa_signature=\"AAAA\""
    static let token = "PowerAuth token_id=\"t\", token_digest=\"AAAA\", version=\"3.3\""

    struct Script {
        /// What each call answers; the members are those of the article's examples.
        var proof: [String: JSONValue] = [
            "signatureValid": true, "userId": "eva", "registrationId": .string(registrationID),
            "registrationStatus": "ACTIVE", "signatureType": "possession_knowledge", "remainingAttempts": 5,
            "flags": [], "application": ["id": "my-app", "roles": []],
        ]
        var token: [String: JSONValue] = [
            "tokenValid": true, "userId": "eva", "registrationId": .string(registrationID),
            "registrationStatus": "ACTIVE", "signatureType": "possession", "flags": [],
            "application": ["id": "my-app", "roles": []],
        ]
        var operation: [String: JSONValue] = [
            "operationId": .string(operationID), "userId": "eva", "status": "PENDING", "template": "login",
            "operationType": "login", "parameters": [:], "failureCount": 0, "maxFailureCount": 5,
            "timestampCreated": 1_761_200_000_000, "timestampExpires": 1_761_200_300_000,
            "registrationId": .string(registrationID),
        ]
        var status = Status.ok
        var requests: [Request] = []
    }

    private let script = Mutex(Script())

    /// Starts it for as long as `body` runs, and hands over its base URL.
    func run(_ body: (String) throws -> Void) throws {
        let server = HTTPServer(limits: Limits(), responder: self)
        defer { server.stop(grace: 1) }
        for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
            try body("http://127.0.0.1:\(port)/powerauth-cloud")
        }
    }

    var requests: [Request] { script.withLock { $0.requests } }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    /// The user approved, at this moment.
    func approve(at date: Date) {
        change {
            $0.operation["status"] = "APPROVED"
            $0.operation["timestampFinalized"] = .integer(Int((date.timeIntervalSince1970 * 1000).rounded()))
            $0.operation["additionalData"] = ["ipAddress": "127.0.0.1", "userAgent": "App/1.0"]
        }
    }

    func respond(to request: Request) -> Response {
        script.withLock { script in
            script.requests.append(request)
            let object =
                switch (request.method, request.path) {
                case (.post, "/powerauth-cloud/v2/authentication/verify"): script.proof
                case (.post, "/powerauth-cloud/v2/token/verify"): script.token
                case (.post, "/powerauth-cloud/v2/operations"),
                    (.get, "/powerauth-cloud/v2/operations/" + Self.operationID):
                    script.operation
                default: [String: JSONValue]()
                }
            return Response(
                status: object.isEmpty ? .notFound : script.status,
                headers: ["Content-Type": "application/json"], body: JSONValue.object(object).bytes)
        }
    }

    func bodyLimit(_: Request.Method, _: String) -> Int? { nil }
}
