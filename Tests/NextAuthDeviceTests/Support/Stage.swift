import Crypto
import DeviceKit
import Essentials
import HTTP
import NextAuth
import NextAuthDevice
import PlatformKit
import TestKit
import Testing

/// A nextAuth server with a back end that asks its API, and the way of a device to it.
struct Stage {
    static let server = "AAAAAAAAAAAAAAAAAAAAAQ=="
    static let pin = NextAuthDevice.Credential.pin("12345")
    static let wrong = NextAuthDevice.Credential.pin("54321")

    let bench: TestBench<NextAuth>

    init(pingTime: Int = 300, pinTimeout: Int = 0) throws {
        let lines = TestKeys.ec.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: ", ")
        bench = try TestBench(
            NextAuth.self,
            fixtures: """
                {"nextauth": {
                    "servers": [{
                        "id": "\(Self.server)", "name": "Test", "key": [\(lines)], "ping_time": \(pingTime),
                        "pin_timeout": \(pinTimeout), "pin_trans_timeout": 0
                    }],
                    "users": [{"server": "\(Self.server)", "id": "ada"}],
                    "api_keys": [{"key": "test-key", "role": "AAAAAAAAAAAAAAAAAAAAEQ=="}],
                    "grants": [{"role": "AAAAAAAAAAAAAAAAAAAAEQ==", "permissions": [
                        "sessions", "users", "accounts", "servers", "createserver", "root", "setrid"
                    ]}]
                }}
                """)
    }

    var services: DeviceServices {
        let entropy = Entropy.system
        return DeviceServices(
            clock: { [bench] in bench.clock.now }, random: { entropy.bytes($0, "phone") },
            transport: { [bench] request in
                var headers = Headers()
                for (name, value) in request.headers { headers.add(name, value) }
                let response = bench.send(
                    Request(
                        .init(rawValue: request.method), "/nextauth" + request.path, query: request.query,
                        headers: headers, body: request.body))
                return DeviceResponse(status: response.status.code, body: response.bytes)
            })
    }

    func installed() throws -> NextAuthDevice {
        try NextAuthDevice.install(platform: "test", name: "Phone", using: services)
    }

    /// A device with an account of ada's, whose AppLogin asks for the PIN: the enrolment is more than a minute ago.
    func enrolled(isHeadless: Bool = false) throws -> NextAuthDevice {
        var device = try installed()
        try enrol(&device, isHeadless: isHeadless)
        bench.time.advance(seconds: 61)
        return device
    }

    func enrol(_ device: inout NextAuthDevice, nonce: String = "enrolment", isHeadless: Bool = false) throws {
        let flow = try device.start(code: enrolmentCode(nonce), using: services)
        try device.approve(flow, with: Self.pin, isHeadless: isHeadless, using: services)
    }

    // MARK: - The back end

    func call(_ method: Request.Method, _ path: String, nonce: String, _ body: JSONValue? = nil) -> Response {
        bench.send(
            method, "/nextauth/servers/\(Self.server)\(path)", body: body?.bytes ?? [],
            headers: ["X-apikey": "test-key", "X-nonce": nonce, "Content-Type": "application/json"])
    }

    func ask(
        _ method: Request.Method, _ path: String, nonce: String, _ body: JSONValue? = nil
    ) throws -> Response {
        let response = call(method, path, nonce: nonce, body)
        try #require(response.status == .ok, "\(response.text)")
        return response
    }

    func enrolmentCode(_ nonce: String, user: String? = "ada") throws -> String {
        let more = user.map { "&userid=" + $0 } ?? ""
        return try ask(.get, "/sessions/qr/enrol?name=Ada" + more, nonce: nonce).text
    }

    func loginCode(_ nonce: String) throws -> String {
        try ask(.get, "/sessions/qr/login", nonce: nonce).text
    }

    /// Who is logged in on a session; nil for nobody.
    func user(_ nonce: String) throws -> String? {
        let session = try JSONValue(parsing: ask(.get, "/sessions/", nonce: nonce).bytes)
        return session["loggedin"] == true ? session["userid"]?.string : nil
    }

    func transaction(_ nonce: String) throws -> String {
        let body: JSONValue = ["amount": "12 EUR", "benificiary": "Bob", "description": "Lunch"]
        let made = try ask(.post, "/sessions/transactions", nonce: nonce, body)
        return try #require(try JSONValue(parsing: made.bytes)["tid"]?.string)
    }

    /// `0` new, `1` approved, `2` declined.
    func outcome(_ transaction: String, nonce: String) throws -> String? {
        let path = "/transactions/" + transaction.percentEncoded
        return try JSONValue(parsing: ask(.get, path, nonce: nonce).bytes)["tstatus"]?.string
    }
}

/// What `body` is refused with, as the SDK says it, and the HTTP status.
func refusal(_ body: () throws -> Void) throws -> String {
    let refusal = try #require(throws: SDKRefusal.self) { try body() }
    let number = refusal.sdk.number.map { " \($0)" } ?? ""
    return "\(refusal.status) \(refusal.sdk.name)\(number)"
}
