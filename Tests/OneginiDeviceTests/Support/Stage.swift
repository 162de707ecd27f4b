import Crypto
import DeviceKit
import Essentials
import HTTP
import Onegini
import OneginiDevice
import PlatformKit
import TestKit
import Testing

/// A token server with a portal and a user's browser, and the way of a device to it.
struct Stage {
    static let pin = "13524"
    static let wrong = "86420"
    static let signature = "ABCDE12345.com.example.app"
    /// Nobody listens there.
    static let callbackURI = "http://127.0.0.1:1/callback"

    let bench: TestBench<Onegini>

    /// - Parameters:
    ///   - application: members of the application, each with a comma behind it.
    ///   - mobile: members of `mobile_authentication`.
    init(application: String = "", mobile: String = "\"callback_retries\": 0") throws {
        let primary = try Self.lines(Vectors.openPGP("device_rsa_private_pkcs8_pem"))
        let encryption = try Self.lines(Vectors.openPGP("server_encryption_subkey_private_pkcs8_pem"))
        bench = try TestBench(
            Onegini.self,
            fixtures: """
                {"onegini": {
                    "oauth": {
                        "scopes": [{"name": "openid", "description": "Sign in"},
                                   {"name": "profile", "description": "Name"}],
                        "users": [{"sub": "ada"}, {"sub": "grace"}],
                        "clients": [{"client_id": "portal", "client_secret": "secret", "kind": "api",
                            "scope": "onegini_api_mobile_authentication onegini_api_end_user"}]
                    },
                    "pgp": {"created_at": "2024-01-01T00:00:00Z", "primary": \(primary),
                            "encryption": \(encryption)},
                    "applications": [{
                        "identifier": "app", "redirect_uris": ["com.example.app://redirect"],
                        "scope": "openid profile", \(application)
                        "versions": [
                            {"platform": "ios", "version_name": "1.0.0",
                             "application_signatures": ["\(Self.signature)"]},
                            {"platform": "ios", "version_name": "0.9.0", "status": "LOGIN_ONLY"},
                            {"platform": "ios", "version_name": "1.1.0", "minimum_os_version": "19",
                             "application_signatures": ["\(Self.signature)"]}]
                    }],
                    "mobile_authentication": {\(mobile)}
                }}
                """)
    }

    private static func lines(_ text: String) -> String {
        JSONValue(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)).text
    }

    var services: DeviceServices { services { _ in } }

    /// - Parameter change: what happens to a request before it is sent.
    func services(_ change: @escaping (inout DeviceRequest) throws -> Void) -> DeviceServices {
        let entropy = Entropy.system
        return DeviceServices(
            clock: { [bench] in bench.clock.now }, random: { entropy.bytes($0, "phone") },
            transport: { [bench] sent in
                var request = sent
                try change(&request)
                var headers = Headers()
                for (name, value) in request.headers { headers.add(name, value) }
                let response = bench.send(
                    Request(
                        .init(rawValue: request.method), "/oauth" + request.path, query: request.query,
                        headers: headers, body: request.body))
                return DeviceResponse(status: response.status.code, body: response.bytes)
            })
    }

    func device(_ version: String = "1.0.0") -> OneginiDevice {
        OneginiDevice(
            .init(application: "app", platform: "ios", version: version, signature: Self.signature))
    }

    /// A device with a user who has chosen the PIN.
    func registered(_ user: String = "ada") throws -> OneginiDevice {
        var device = device()
        try device.register(name: "Phone", using: services)
        try add(user, to: &device)
        return device
    }

    func add(_ user: String, to device: inout OneginiDevice) throws {
        try device.register(
            provider: "understudy-direct", data: ["userId": .string(user)], pin: Self.pin, using: services)
    }

    /// A device whose user takes part in mobile authentication. The key of the vectors saves the time that a new one takes.
    func enrolled(_ user: String = "ada", push: Bool = false) throws -> OneginiDevice {
        var device = try registered(user)
        try device.enroll(key: Vectors.openPGP("device_rsa_private_pkcs8_pem"), using: services)
        if push { try device.enrollPush(token: "push-of-" + user, using: services) }
        return device
    }

    // MARK: - The portal

    private static let portal: Headers = [
        "Authorization": "Basic " + Base64.encode(Array("portal:secret".utf8)),
        "Content-Type": "application/x-www-form-urlencoded",
    ]

    func start(_ fields: [(name: String, value: String)]) throws -> JSONValue {
        let all = fields + [("callback_uri", Self.callbackURI)]
        let response = bench.send(
            .post, "/oauth/api/v4/authenticate/user", body: Array(Form.encode(all).utf8),
            headers: Self.portal)
        try #require(response.status.code < 300, "\(response.text)")
        return try JSONValue(parsing: response.bytes)
    }

    func startOTP() throws -> (id: String, otp: String) {
        let told = try start([("type", "qr-code"), ("message", "Log in?")])
        return (try told.required("transaction_id"), try told.required("otp"))
    }

    func startPush(
        to device: OneginiDevice, _ type: String = "push", _ more: [(name: String, value: String)] = []
    ) throws -> String {
        let id = try #require(device.clientID)
        return try start(
            [("type", type), ("user_id", "ada"), ("device_id", id), ("message", "Pay?")] + more
        ).required("transaction_id")
    }

    /// What the portal hears of a transaction.
    func result(_ id: String) throws -> JSONValue {
        let answer = bench.get("/oauth/api/v4/authenticate/transaction/" + id, headers: Self.portal)
        return try JSONValue(parsing: answer.bytes)
    }

    func removeDevice(_ device: OneginiDevice) throws {
        let id = try #require(device.clientID)
        let removed = bench.delete("/oauth/api/v4/users/ada/devices/" + id, headers: Self.portal)
        #expect(removed.status.code < 300, "\(removed.text)")
    }

    // MARK: - The browser

    /// Opens a page below the server's address, presses ada's button and whatever else is asked.
    ///
    /// - Returns: where the app is sent.
    func logIn(_ page: String) throws -> String {
        var (cookies, response) = ([String: String](), bench.get("/oauth" + page))
        for _ in 1...6 {
            for cookie in response.headers.values(of: "Set-Cookie") {
                let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
            }
            let cookie = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            guard let location = response.headers["Location"] else {
                response = try press(response.text, cookie)
                continue
            }
            if !location.hasPrefix("/") { return location }
            response = bench.get(location, headers: ["Cookie": cookie])
        }
        throw DeviceError("the browser is sent nowhere: \(response.text)")
    }

    /// Presses the button of ada, or the first one.
    private func press(_ html: String, _ cookie: String) throws -> Response {
        let forms = html.matches(of: /(?s)<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/)
        let form = try #require(forms.first { $0.2.contains("value=\"ada\"") } ?? forms.first, "\(html)")
        var fields = form.2.matches(of: /<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/).map {
            (name: String($0.1), value: String($0.2))
        }
        let buttons = form.2.matches(of: /<button[^>]*name="([^"]*)"[^>]*value="([^"]*)"/)
        if let button = buttons.first(where: { $0.2 == "ada" }) ?? buttons.first {
            fields.append((String(button.1), String(button.2)))
        }
        let target = String(form.1).replacing("&amp;", with: "&")
        return bench.send(
            .post, target, body: Array(Form.encode(fields).utf8),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie,
                "Origin": "http://localhost:8420",
            ])
    }
}

/// What `body` is refused with, as the SDK says it, and the HTTP status.
func refusal(_ body: () throws -> Void) throws -> String {
    let refusal = try #require(throws: SDKRefusal.self) { try body() }
    let number = refusal.sdk.number.map { " \($0)" } ?? ""
    return "\(refusal.status) \(refusal.sdk.name)\(number)"
}
