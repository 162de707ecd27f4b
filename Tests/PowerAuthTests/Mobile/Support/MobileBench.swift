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

/// A world with an application, and phones that talk to it.
final class MobileBench {
    static let key = "QUFBQUFBQUFBQUFBQUFBQQ=="
    static let secret = "QkJCQkJCQkJCQkJCQkJCQg=="
    static let oldKey = "Q0NDQ0NDQ0NDQ0NDQ0NDQw=="
    static let newKey = "RERERERERERERERERERERA=="
    static let newSecret = "RUVFRUVFRUVFRUVFRUVFRQ=="
    static let otherKey = "RkZGRkZGRkZGRkZGRkZGRg=="
    static let pin = "1234"

    let bench: TestBench<PowerAuth>
    private(set) var lastResponse = Response()
    /// Answers of this path do not reach the phone.
    var loses: String?
    /// Somebody on the way changes what the server answers.
    var bends: ((String, JSONValue) throws -> JSONValue)?
    /// Requests of this path do not reach the server.
    var refuses: String?

    /// - Parameters:
    ///   - settings: members of the settings.
    ///   - application: further members of the application.
    ///   - mobile: tokens, recovery codes and claims.
    init(settings: String = "", application: String = "", mobile: String = "") throws {
        let master = TestKeys.ec.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: ", ")
        bench = try TestBench(
            PowerAuth.self,
            fixtures: """
                {"powerauth": {
                    "settings": {\(settings)},
                    "applications": [
                        {"id": "bank", "roles": ["ROLE_BANK"], "master_key": [\(master)], \(application)
                         "versions": [
                            {"name": "2.0", "app_key": "\(Self.key)", "app_secret": "\(Self.secret)"},
                            {"name": "1.0", "app_key": "\(Self.oldKey)", "app_secret": "\(Self.secret)",
                             "is_supported": false},
                            {"name": "3.0", "app_key": "\(Self.newKey)", "app_secret": "\(Self.newSecret)"}]},
                        {"id": "shop", "master_key": [\(master)], "versions": [
                            {"name": "1.0", "app_key": "\(Self.otherKey)", "app_secret": "\(Self.secret)"}]}],
                    "mobile": {\(mobile)}
                }}
                """)
    }

    var platform: PowerAuth { PowerAuth(bench.world) }

    /// Why the newest request was refused, as the developer reads it.
    var explanation: String { bench.explanation ?? "" }

    func phone(
        _ version: Device.Version = .v33, style: DeviceStyle = .ios, key: String = key,
        secret: String = secret
    ) throws -> Device {
        try phone(
            MobileConfiguration(
                applicationKey: key, applicationSecret: secret,
                masterKey: PrivateKey(pem: TestKeys.ec + "\n").publicKey), version, style: style)
    }

    func phone(
        _ configuration: MobileConfiguration, _ version: Device.Version = .v33, style: DeviceStyle = .ios
    ) -> Device {
        let entropy = Entropy.system
        return Device(
            configuration, version: version, style: style,
            clock: { [bench] in Int((bench.clock.now.timeIntervalSince1970 * 1000).rounded()) },
            random: { entropy.bytes($0, "phone") }, transport: { [unowned self] in send($0) })
    }

    func send(_ request: DeviceRequest) -> DeviceResponse {
        if request.path == refuses { return DeviceResponse(status: 503, body: []) }
        var headers = Headers()
        for (name, value) in request.headers { headers.add(name, value) }
        lastResponse = bench.send(
            Request(
                .init(rawValue: request.method), "/enrollment-server" + request.path, query: request.query,
                headers: headers, body: request.body))
        if request.path == loses { return DeviceResponse(status: 200, body: []) }
        var body = lastResponse.bytes
        do {
            if let bends { body = try bends(request.path, JSONValue(parsing: body)).bytes }
        } catch {
            Issue.record(error)
        }
        return DeviceResponse(status: lastResponse.status.code, body: body)
    }

    /// Starts a registration of ada as a back end does.
    @discardableResult
    func register(
        otp: String? = nil, _ phase: StoredActivation.CommitPhase = .onCommit, application: String = "bank"
    ) throws -> (id: String, code: String) {
        let activation = try platform.change { turn in
            try platform.activations.create(
                NewActivation(user: "ada", application: application, otp: otp, commitPhase: phase), in: turn)
        }
        return (activation.id, try #require(activation.code))
    }

    func commit(_ id: String, otp: String? = nil) throws {
        _ = try platform.change { turn in
            let activation = try #require(try platform.activations.find(id, in: turn))
            return try platform.activations.commit(activation, otp: otp, by: nil, in: turn)
        }
    }

    /// A phone of ada's whose activation is active.
    func activePhone(
        _ version: Device.Version = .v33, style: DeviceStyle = .ios, key: String = key,
        secret: String = secret
    ) throws -> Device {
        let phone = try phone(version, style: style, key: key, secret: secret)
        try phone.activate(.init(.code(register(.onKeyExchange).code)), pin: Self.pin)
        return phone
    }

    func stored(_ phone: Device) throws -> StoredActivation {
        try stored(#require(phone.activation).id)
    }

    func stored(_ id: String) throws -> StoredActivation {
        let found = try bench.world.database.read { db in try Activation.find(id, in: db) }
        return try #require(found)
    }

    func block(_ phone: Device) throws {
        let id = try #require(phone.activation).id
        _ = try platform.change { turn in
            let activation = try #require(try platform.activations.find(id, in: turn))
            return try platform.activations.block(activation, reason: "LOST", by: nil, in: turn)
        }
    }

    /// Expects that `body` is refused, with the whole body of the refusal.
    func expectRefusal(
        _ status: Int, _ code: String, _ message: String, because explanation: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        #expect(throws: ServerRefusal.self, sourceLocation: sourceLocation) { try body() }
        expectRefused(status, code, message, because: explanation, sourceLocation: sourceLocation)
    }

    /// Expects that the newest request was refused.
    func expectRefused(
        _ status: Int, _ code: String, _ message: String, because explanation: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lastResponse.status.code == status, sourceLocation: sourceLocation)
        #expect(
            lastResponse.text
                == #"{"status":"ERROR","responseObject":{"code":"\#(code)","message":"\#(message)"}}"#,
            sourceLocation: sourceLocation)
        #expect(self.explanation.contains(explanation), "\(self.explanation)", sourceLocation: sourceLocation)
        #expect(bench.misshapenExplanations == [], sourceLocation: sourceLocation)
        #expect(bench.reports.lines == [], sourceLocation: sourceLocation)
    }

    func expectUnsigned(
        because explanation: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", because: explanation,
            sourceLocation: sourceLocation, body)
    }
}
