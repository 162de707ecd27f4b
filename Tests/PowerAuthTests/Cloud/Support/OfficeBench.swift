import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// A world with two applications, back ends that may call for one or the other, and phones.
final class OfficeBench {
    static let key = "QUFBQUFBQUFBQUFBQUFBQQ=="
    static let secret = "QkJCQkJCQkJCQkJCQkJCQg=="
    static let pin = "1234"

    static let office = basic("office", "office secret")
    static let admin = basic("admin", "admin: secret")
    static let stranger = basic("stranger", "stranger secret")

    static func basic(_ name: String, _ password: String) -> Headers {
        ["Authorization": "Basic " + Base64.encode(Array("\(name):\(password)".utf8))]
    }

    static func world(_ members: String = "", settings: String = "") -> String {
        let master = TestKeys.ec.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            {"powerauth": {
                "settings": {\(settings)},
                "applications": [
                    {"id": "bank", "roles": ["ROLE_B", "ROLE_A"], "master_key": [\(master)], "versions": [
                        {"name": "old", "app_key": "Q0NDQ0NDQ0NDQ0NDQ0NDQw==", "app_secret": "\(secret)",
                         "is_supported": false},
                        {"name": "1.0", "app_key": "\(key)", "app_secret": "\(secret)"}]},
                    {"id": "shop", "master_key": [\(master)], "versions": [
                        {"name": "1.0", "app_key": "RkZGRkZGRkZGRkZGRkZGRg==", "app_secret": "\(secret)"}]},
                    {"id": "none", "master_key": [\(master)], "versions": []}],
                "users": [
                    {"username": "admin", "password": "admin: secret", "roles": ["ROLE_ADMIN"]},
                    {"username": "office", "password": "office secret", "applications": ["bank", "none"]},
                    {"username": "stranger", "password": "stranger secret", "applications": ["shop"]},
                    {"username": "asleep", "password": "asleep secret", "is_enabled": false}]
                \(members.isEmpty ? "" : ", " + members)
            }}
            """
    }

    let bench: TestBench<PowerAuth>

    init(_ members: String = "", settings: String = "") throws {
        bench = try TestBench(PowerAuth.self, fixtures: Self.world(members, settings: settings))
    }

    var platform: PowerAuth { PowerAuth(bench.world) }
    var now: Int { Int((bench.clock.now.timeIntervalSince1970 * 1000).rounded()) }

    /// A call of the Cloud API with a body of JSON text.
    @discardableResult
    func cloud(
        _ method: Request.Method, _ path: String, _ body: String = "", as caller: Headers = office
    ) -> Response {
        bench.send(method, "/powerauth-cloud" + path, body: Array(body.utf8), headers: caller)
    }

    /// A call of the management API.
    @discardableResult
    func manage(_ path: String, _ object: String = "{}", as caller: Headers = [:]) -> Response {
        bench.send(
            .post, "/powerauth-java-server/rest/v3/" + path,
            body: Array("{\"requestObject\": \(object)}".utf8), headers: caller)
    }

    func phone(_ version: Device.Version = .v33) throws -> Device {
        let entropy = Entropy.system
        return Device(
            MobileConfiguration(
                applicationKey: Self.key, applicationSecret: Self.secret,
                masterKey: try PrivateKey(pem: TestKeys.ec + "\n").publicKey),
            version: version, clock: { [unowned self] in now }, random: { entropy.bytes($0, "phone") },
            transport: { [bench] request in
                var headers = Headers()
                for (name, value) in request.headers { headers.add(name, value) }
                let response = bench.send(
                    Request(
                        .init(rawValue: request.method), "/enrollment-server" + request.path,
                        query: request.query, headers: headers, body: request.body))
                return DeviceResponse(status: response.status.code, body: response.bytes)
            })
    }

    /// Starts a registration of ada's.
    func register(_ members: String = "") throws -> (id: String, code: String) {
        let response = cloud(
            .post, "/v2/registrations",
            "{\"userId\": \"ada\", \"appId\": \"bank\"\(members.isEmpty ? "" : ", " + members)}")
        return (
            try #require(response.fields["registrationId"]), try #require(response.fields["activationCode"])
        )
    }

    /// A phone after its key exchange.
    func exchanged(_ members: String = "", otp: String? = nil) throws -> (phone: Device, id: String) {
        let (id, code) = try register(members)
        let phone = try phone()
        try phone.activate(
            ActivationRequest(.code(code), name: "Ada's phone", otp: otp, deviceInfo: "Pixel 8"),
            pin: Self.pin)
        return (phone, id)
    }

    /// A phone that is active.
    func active(_ members: String = "") throws -> (phone: Device, id: String) {
        try exchanged("\"commitPhase\": \"ON_KEY_EXCHANGE\"" + (members.isEmpty ? "" : ", " + members))
    }

    func show(_ id: String) throws -> [String: JSONValue] {
        try object(cloud(.get, "/v2/registrations/" + id))
    }

    func state(_ id: String) throws -> String? { try show(id)["registrationStatus"]?.string }

    func object(_ response: Response) throws -> [String: JSONValue] {
        try #require(try JSONValue(parsing: response.bytes).object)
    }

    /// What came in `responseObject`.
    func result(_ response: Response) throws -> [String: JSONValue] {
        try #require(try object(response)["responseObject"]?.object)
    }

    /// Expects a refusal with its whole body.
    func expect(
        _ response: Response, _ code: String, _ message: String, status: Int = 400,
        because explanation: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status.code == status, sourceLocation: sourceLocation)
        #expect(
            try JSONValue(parsing: response.bytes)
                == [
                    "status": "ERROR",
                    "responseObject": ["code": .string(code), "message": .string(message)],
                ], "\(response.text)", sourceLocation: sourceLocation)
        let told = bench.explanation ?? ""
        #expect(
            explanation.isEmpty || told.contains(explanation), "\(told)", sourceLocation: sourceLocation)
        #expect(bench.misshapenExplanations == [], sourceLocation: sourceLocation)
        #expect(bench.reports.lines == [], sourceLocation: sourceLocation)
    }

    func expectOK(_ response: Response, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(response.status == .ok, sourceLocation: sourceLocation)
        #expect(response.text == #"{"status":"OK"}"#, sourceLocation: sourceLocation)
    }

    /// The states of an activation, oldest first, with the reasons.
    func history(_ id: String) throws -> [String] {
        try bench.world.database.read { db in
            try HistoryEntry.all(of: id, in: db).map(\.entry)
        }.map { entry in
            [entry.state.rawValue, entry.reason, entry.externalUser].compactMap { $0 }.joined(separator: " ")
        }
    }
}
