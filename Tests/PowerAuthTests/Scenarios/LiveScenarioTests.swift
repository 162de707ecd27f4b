import DeviceKit
import Essentials
import HTTP
import HTTPClient
import HTTPServer
import PlatformKit
import PowerAuth
import PowerAuthDevice
import Sockets
import TestKit
import Testing

/// The same over a socket: what a router alone would not show.
@Suite struct LiveScenarioTests {
    private struct Door: Responder {
        let bench: TestBench<PowerAuth>

        func respond(to request: Request) -> Response { bench.send(request) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `a device lives its life over HTTP`(_ version: Device.Version, _ style: DeviceStyle) throws {
        let stage = try Stage()
        let server = HTTPServer(limits: Limits(), responder: Door(bench: stage.bench))
        let bound = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)])
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port) = bound[0] else { return }
        let base = "http://localhost:\(port)/enrollment-server"
        let client = HTTPClient()
        let chance = PhoneChance(7)
        let phone = Device(
            try stage.makePhone().configuration, version: version, style: style,
            clock: { stage.milliseconds }, random: chance.draw
        ) { request in
            var headers = Headers()
            for (name, value) in request.headers { headers.add(name, value) }
            let response = try client.send(
                Request.Method(rawValue: request.method),
                base + request.path + (request.query.map { "?" + $0 } ?? ""), headers: headers,
                body: request.body)
            return DeviceResponse(status: response.status.code, body: response.body)
        }

        try stage.activate(phone, stage.startRegistration("eva"))
        try stage.commit(phone)
        #expect(try phone.status().state == .active)
        for method in ["POST", "GET", "PUT", "DELETE"] { try phone.validate(method, with: .pin(Stage.pin)) }
        try phone.createToken("token", with: .biometry)
        #expect(try phone.activationName(token: "token") == "Eva's phone")
        try phone.unlockVault(reason: "TEST", with: .pin(Stage.pin))
        #expect(try phone.userInfo()["sub"] == "eva")
        try phone.removeActivation(with: .pin(Stage.pin))
    }
}
