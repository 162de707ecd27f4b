import Dispatch
import Essentials
import HTTP
import HTTPServer
import MIRACL
import NextAuth
import PlatformKit
import PowerAuth
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Phone

/// A world with PowerAuth, nextAuth, MIRACL and phones behind a socket, which the phones need.
final class PhoneBench: Sendable {
    static let base = "/powerauth-cloud"
    /// Of nextAuth.
    static let server = "AAAAAAAAAAAAAAAAAAAAAQ=="

    let time = ManualTime()
    let worlds: Worlds
    let world: World
    let center: PhoneCenter
    let url: String
    private let server: HTTPServer
    private let dispatcher: Dispatcher

    /// Between the phones and the server.
    let network = Network()

    /// Whoever may listen to what phones send, keep it back, or change it.
    final class Network: Sendable {
        /// Does something to a request on its way.
        struct Meddler: Sendable { let change: @Sendable (inout Request) throws -> Void }

        private let meddler = Mutex<Meddler?>(nil)
        private let carried = Mutex<[Request]>([])

        /// What came over it, the oldest first.
        var requests: [Request] { carried.withLock { $0 } }

        func meddle(_ change: @escaping @Sendable (inout Request) throws -> Void) {
            meddler.withLock { $0 = Meddler(change: change) }
        }

        fileprivate func carry(_ request: Request) -> Request {
            carried.withLock { $0.append(request) }
            var request = request
            do {
                try meddler.withLock { $0 }?.change(&request)
            } catch {
                Issue.record(error)
            }
            return request
        }
    }

    private struct Door: Responder {
        let dispatcher: Dispatcher
        let network: Network

        func respond(to request: Request) -> Response { dispatcher.respond(to: network.carry(request)) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    init(
        phones: String = "{\"name\": \"ada\", \"owner\": \"ada\"}", application: String = ""
    ) throws {
        var settings = Worlds.Settings(builtInFixtures: try TestKeys.fixtures(for: PowerAuth.name))
        settings.seed = 1
        settings.realTime = { [time] in time.now }
        let sections: [any Section.Type] = [PowerAuth.self, NextAuth.self, MIRACL.self, Phones.self]
        let platforms = sections.compactMap { $0 as? any Platform.Type }
        let center = PhoneCenter(sections)
        settings.pushed = { center.deliver($1, in: $0) }
        settings.duties = center.duties
        worlds = try Worlds(
            sections: sections,
            fixtures: FixtureSet(text: Array(Self.fixtures(phones, application).utf8), file: "test fixtures"),
            settings: settings)
        world = try #require(try worlds.world(Worlds.defaultName))
        dispatcher = Dispatcher(worlds: worlds, platforms: platforms, settings: Dispatcher.Settings())
        server = HTTPServer(limits: Limits(), responder: Door(dispatcher: dispatcher, network: network))
        guard case .tcp(_, let port)? = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]).first else {
            throw WorldError.unknown("socket", existing: [])
        }
        url = "http://127.0.0.1:\(port)"
        self.center = center
        center.begin(worlds, at: url)
    }

    deinit {
        center.stop(seconds: 5)
        server.stop(grace: 0)
    }

    private static func fixtures(_ phones: String, _ application: String) -> String {
        let key = TestKeys.ec.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"phones": {"devices": [\(phones)]},
             "nextauth": {
                "servers": [{"id": "\(Self.server)", "name": "Shop", "key": [\(key)], "ping_time": 300,
                    "pin_timeout": 0, "pin_trans_timeout": 0}],
                "api_keys": [{"key": "shop-key", "role": "AAAAAAAAAAAAAAAAAAAAEQ=="}],
                "grants": [{"role": "AAAAAAAAAAAAAAAAAAAAEQ==", "permissions": ["sessions", "users", "accounts", "servers"]}]},
             "miracl": {"projects": [{"id": "blue", "name": "Blue", "backoff": 0, "applications": [
                {"client_id": "shop", "client_secret": "secret", "redirect_uris": ["https://shop.example/login"]}]}]},
             "powerauth": {
                "applications": [{"id": "my-app", "roles": [], \(application) "master_key": [\(key)], "versions": [
                    {"name": "default", "app_key": "XbreUNRLv3Z4BJ4aeH1JTg==", "app_secret": "XWAK9bqRjFKzWITWDvoNdg=="}],
                    "oauth2_providers": [{"providerId": "house", "clientId": "app", "issuerUri": "https://house.example",
                        "redirectUri": "app:/back", "scopes": "openid", "authorizeUri": "https://house.example/authorize"}]},
                    {"id": "other-app", "roles": [], "master_key": [\(key)], "versions": [
                    {"name": "default", "app_key": "TW8CfxbXPEKFBAq6RnnSqg==", "app_secret": "jpsmtNfeSxvFNsqEVu8VFw=="}]}],
                "users": [{"username": "office", "password": "secret", "roles": ["ROLE_USER"], "applications": ["my-app"]},
                    {"username": "branch", "password": "secret", "roles": ["ROLE_USER"], "applications": ["other-app"]}],
                "operation_templates": [{"id": "login", "type": "login", "data": "A2", "max_failures": 5, "seconds": 300,
                    "factors": ["possession_knowledge", "possession_biometry"]}],
                "mobile_templates": [{"id": "login", "texts": {"en": {"title": "Login approval", "message": "Log in?"}}}]}}
            """
    }

    /// A call of the back end that succeeds.
    ///
    /// - Parameter user: `office` of the application of phones, `branch` of another.
    @discardableResult
    func office(
        _ method: Request.Method, _ path: String, _ body: JSONValue? = nil, as user: String = "office"
    ) throws -> JSONValue {
        let response = try call(
            method, Self.base + path, body, headers: ["Authorization": Self.basic(user)])
        #expect(response.status.code == 200, "\(path): \(response.text)")
        return response.bytes.isEmpty ? [:] : try JSONValue(parsing: response.bytes)
    }

    static func basic(_ user: String) -> String {
        "Basic " + Data("\(user):secret".utf8).base64EncodedString()
    }

    /// What was sent before, once more.
    func carry(_ request: Request) -> Response { dispatcher.respond(to: request) }

    /// Any call from outside, below the base path of a platform.
    func call(
        _ method: Request.Method, _ path: String, _ body: JSONValue? = nil, headers: Headers = [:]
    ) throws -> Response {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var fields = headers
        fields["Host"] = "localhost:8420"
        fields["Content-Type"] = "application/json"
        return dispatcher.respond(
            to: Request(
                method, parts[0], query: parts.count > 1 ? parts[1] : nil, headers: fields,
                body: body?.bytes ?? []))
    }

    /// - Returns: the id of a login operation.
    func operation(_ more: [String: JSONValue] = [:]) throws -> String {
        let members: [String: JSONValue] = ["template": "login", "userId": "ada"]
        let made = try office(.post, "/v2/operations", .object(members.merging(more) { $1 }))
        return try #require(made["operationId"]?.string)
    }

    func state(of operation: String) throws -> String? {
        try office(.get, "/v2/operations/\(operation)")["status"]?.string
    }

    /// The text of the QR code of a new registration.
    func code(_ more: [String: JSONValue] = [:]) throws -> (id: String, text: String) {
        let members: [String: JSONValue] = ["userId": "ada", "appId": "my-app"]
        let made = try office(.post, "/v2/registrations", .object(members.merging(more) { $1 }))
        return (
            try #require(made["registrationId"]?.string), try #require(made["activationQrCodeData"]?.string)
        )
    }

    /// Has a phone do something, and waits for it.
    func have<Value: Sendable>(
        _ phone: String = "ada", within seconds: Double = 0,
        _ work: @escaping @Sendable (PhoneSession) throws -> Value?
    ) throws -> Value? {
        let outcome = Outcome<Value>()
        _ = try center.answer(by: phone, in: world, at: url, within: seconds, work) { result in
            outcome.result.withLock { $0 = result }
            return Response(status: .ok)
        }.awaited()
        let result = outcome.result.withLock { $0 }
        return try #require(result).get()
    }

    /// The same for what comes to something.
    func done<Value: Sendable>(
        _ phone: String = "ada", _ work: @escaping @Sendable (PhoneSession) throws -> Value?
    ) throws -> Value {
        let value = try have(phone, work)
        return try #require(value)
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value?, any Error>?>(nil)
    }

    /// What the phone refuses to do.
    func refusal<Value: Sendable>(
        _ phone: String = "ada", _ work: @escaping @Sendable (PhoneSession) throws -> Value?
    ) throws -> PhoneRefusal {
        try #require(throws: PhoneRefusal.self) { _ = try have(phone, work) }
    }

    /// Waits until it is so: most of what changes leaves an entry in the journal, and what a phone keeps of it follows a moment later.
    func until(_ what: String, _ claim: () throws -> Bool) throws {
        let rung = DispatchSemaphore(value: 0)
        let stop = world.journal.listen { _ in rung.signal() }
        defer { stop() }
        let deadline = DispatchTime.now() + 20
        while try !claim() {
            guard DispatchTime.now() < deadline else {
                Issue.record("waited in vain for \(what)")
                return
            }
            _ = rung.wait(timeout: .now() + .milliseconds(20))
        }
    }
}

extension PhoneBench {
    /// An enrolled phone.
    func enrol(_ phone: String = "ada", _ typed: TypedIn = TypedIn()) throws {
        _ = try have(phone) { try $0.enrol(nil, typed) }
    }
}
