import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

/// A back end that speaks the server API. Its user `ada` has the account 1, logged in on the session `nonce`.
struct ServerAPI {
    static let nonce = "0123456789abcdef"

    let bench: TestBench<NextAuth>
    let backEnd: BackEnd
    var device: Device

    /// - Parameter isHeadless: without a second factor.
    init(fixtures: String = Cast.world(), isHeadless: Bool = false) throws {
        bench = try TestBench(NextAuth.self, fixtures: fixtures)
        backEnd = BackEnd(bench: bench)
        device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode(Self.nonce), headless: isHeadless)
    }

    /// - Parameters:
    ///   - path: below the server, unless it begins with two slashes: then below the platform.
    ///   - nonce: nil for none.
    func send(
        _ method: Request.Method, _ path: String, body: JSONValue? = nil, nonce: String? = Self.nonce,
        key: String? = Cast.apiKey, headers: Headers = [:]
    ) -> Response {
        var all = headers
        all["X-apikey"] = key
        all["X-nonce"] = nonce
        if body != nil { all["Content-Type"] = "application/json" }
        let base =
            path.hasPrefix("//")
            ? "/nextauth" + path.dropFirst() : "/nextauth/servers/\(Cast.serverID)\(path)"
        return bench.send(method, base, body: body?.bytes ?? [], headers: all)
    }

    func get(_ path: String, nonce: String? = Self.nonce) throws -> JSONValue {
        let response = send(.get, path, nonce: nonce)
        #expect(response.status == .ok)
        return try response.json(JSONValue.self)
    }

    /// A key whose role may do just this.
    ///
    /// - Parameter server: nil for all servers.
    func key(_ permissions: [Permission], on server: String?) throws -> String {
        let role = bench.world.services.entropy.pathSafeBase64(for: "test.role")
        try bench.world.database.write { db in
            try db.insert(
                APIKey(key: "key " + role, role: role, description: "", maker: nil))
            try Grant(role: role, server: server, permissions: permissions).replace(in: db)
        }
        return "key " + role
    }

    /// A refusal as the server API writes it.
    static func refusal(_ code: String, _ message: String) -> String {
        "{\"error\":{\"code\":\"\(code)\",\"message\":\"\(message)\"}}"
    }

    /// What `POST` and so on answer, as JSON.
    func ask(
        _ method: Request.Method, _ path: String, _ body: JSONValue? = nil, nonce: String? = Self.nonce
    ) throws -> JSONValue {
        let response = send(method, path, body: body, nonce: nonce)
        #expect(response.status == .ok, "\(response.text)")
        return response.bytes.isEmpty ? .null : try response.json(JSONValue.self)
    }

    /// The device logs the session in by its code.
    @discardableResult
    func logIn(_ nonce: String, _ account: Int = 1) throws -> FlowObject {
        let code = send(.get, "/sessions/qr/login", nonce: nonce).text
        let flow = try device.start(["type": "LOGIN", "data": .string(code)])
        return try device.step("secondfactor", flow, device.factor(flow, account))
    }

    func hsid(_ nonce: String) throws -> String {
        try #require(try get("/sessions/", nonce: nonce)["hsid"]?.string)
    }

    func webSocket(_ path: String = "/ws") throws -> TestWebSocket { try bench.webSocket("/nextauth" + path) }

    /// A message for or from the WebSocket about a session of the test server.
    func message(_ type: String, _ nonce: String) throws -> String {
        try "\(type) \(hsid(nonce)) \(Server.urlSafe(Cast.serverID))"
    }
}
