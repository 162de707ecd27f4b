import DeviceKit
import Essentials
import HTTP
import HTTPServer
import PlatformKit
import PowerAuth
import PowerAuthDevice
import SampleApp
import Sockets
import TestKit
import Testing

/// The back end of the app, which calls the stage's PowerAuth Cloud over a socket.
final class AppBackEnd {
    private struct Door: Responder {
        let bench: TestBench<PowerAuth>

        func respond(to request: Request) -> Response { bench.send(request) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    private let stage: Stage
    private let server: HTTPServer
    private let bench: TestBench<SampleApp>

    init(_ stage: Stage, requiresToken: Bool = false) throws {
        self.stage = stage
        server = HTTPServer(limits: Limits(), responder: Door(bench: stage.bench))
        let bound = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)])
        guard case .tcp(_, let port) = bound[0] else { throw DeviceError("the server has no port") }
        let settings: JSONValue = [
            "cloud": .string("http://localhost:\(port)/powerauth-cloud"), "username": "back-end",
            "password": "secret", "requires_token": .boolean(requiresToken),
        ]
        let fixtures: JSONValue = ["app": ["mobile_login": settings]]
        bench = try TestBench(SampleApp.self, fixtures: fixtures.text)
    }

    deinit { server.stop(grace: 0) }

    /// Moves both clocks.
    func advance(seconds: Double) throws {
        try bench.clock.advance(seconds: seconds)
        try stage.bench.clock.advance(seconds: seconds)
    }

    /// `POST /login` with an authentication code.
    func logIn(_ body: String, header: String) -> Response {
        send("/login", body, ["X-PowerAuth-Authorization": header])
    }

    /// `POST /login/init`.
    func begin(_ body: String, token: String? = nil) -> Response {
        var headers: Headers = [:]
        headers["X-PowerAuth-Token"] = token
        return send("/login/init", body, headers)
    }

    /// `POST /login/confirm` in the session in which the login began.
    func confirm(_ started: Response, session: String? = nil, token: String? = nil) -> Response {
        var headers: Headers = [:]
        headers["X-PowerAuth-Token"] = token
        headers["Authorization"] = "Bearer " + (session ?? started.fields["session"] ?? "")
        let body: JSONValue = ["operationId": .string(started.fields["operationId"] ?? "")]
        return send("/login/confirm", body.text, headers)
    }

    private func send(_ path: String, _ body: String, _ more: Headers) -> Response {
        var headers = more
        headers["Content-Type"] = "application/json"
        return bench.send(.post, "/app" + path, body: Array(body.utf8), headers: headers)
    }
}
