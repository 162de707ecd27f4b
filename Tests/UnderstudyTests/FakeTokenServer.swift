import Console
import Essentials
import HTTP
import HTTPServer
import Phone
import PlatformKit
import SQLite
import Sockets
import TestKit

/// As much of a token server as `otp` needs: it starts transactions and lets them be decided.
struct FakeTokenServer: HoldsTransactions, Platform {
    static let name = "onegini"
    static let title = "Token server"
    static let mounts = [Mount("oauth", routes)]
    static let routes: [Route<FakeTokenServer>] = [
        .post("/api/v4/authenticate/user", FakeTokenServer.start)
    ]
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_test_step (
            transaction_id TEXT NOT NULL,
            state TEXT NOT NULL,
            user TEXT,
            message TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    struct Fixtures: Codable {}

    struct Refused: Refusal {
        let explanation: String
    }

    private struct Step: RowDecodable {
        let id: String
        let state: String
        let user: String?
        let message: String?
        let at: Date

        init(row: Row) throws {
            id = try row.text("transaction_id")
            state = try row.text("state")
            user = try row.optionalText("user")
            message = try row.optionalText("message")
            at = try row.date("at")
        }
    }

    private struct Started: Encodable {
        let transaction_id: String
        let auth_method = "otp"
        let time_to_live = 300_000
        let otp: String
    }

    let world: World

    init(_ world: World) { self.world = world }

    static func response(for error: any Error) throws -> Response {
        if let unknown = error as? RouteUnknown { return .text("not found", status: unknown.status) }
        return .text("{\"error\":\"invalid_client\"}", status: .unauthorized)
    }

    static func load(_: Fixtures, into _: Connection) throws {}
    static func export(from _: Connection) throws -> Fixtures { Fixtures() }

    /// What the transaction's QR code says.
    static func otp(of id: String) -> String {
        Data("{\"transaction_id\":\"\(id)\"}".utf8).base64EncodedString()
    }

    func start(_ request: Request) throws -> Response {
        // RFC 7617 §2: the base64 of `portal-api:portal-api-secret`.
        guard request.headers["Authorization"] == "Basic cG9ydGFsLWFwaTpwb3J0YWwtYXBpLXNlY3JldA==" else {
            throw Refused(explanation: "There is no API client with this id and secret.")
        }
        let form = request.form
        guard form["type"] == "qr-code", let message = form["message"], let callback = form["callback_uri"]
        else {
            throw Refused(explanation: "A parameter is missing or wrong.")
        }
        let id = services.entropy.identifier(for: "onegini.test")
        try take("INITIALIZED", nil, message + "\n" + callback, id)
        return try .json(Started(transaction_id: id, otp: Self.otp(of: id)))
    }

    private func take(_ state: String, _ user: String?, _ message: String?, _ id: String) throws {
        try database.write { db in
            try db.execute(
                "INSERT INTO onegini_test_step VALUES (\(id), \(state), \(user), \(message), \(services.clock.now()))"
            )
        }
    }

    func countOpenTransactions() throws -> Int { try newestTransactions(.max).count(where: \.isOpen) }

    func newestTransactions(_: Int) throws -> [Transaction] {
        let all = try database.read {
            try $0.all(Step.self, "SELECT * FROM onegini_test_step ORDER BY rowid")
        }
        return all.filter { $0.message != nil }.reversed().map { first in
            let steps = all.filter { $0.id == first.id }
            let state = steps.last?.state ?? first.state
            let expiry = first.at.addingTimeInterval(300)
            let isDecided = !["INITIALIZED", "FETCHED"].contains(state)
            let isOver = !isDecided && expiry <= services.clock.now()
            return Transaction(
                id: first.id, kind: "otp", title: first.message ?? "",
                user: steps.lazy.compactMap(\.user).last, state: isOver ? "EXPIRED" : state,
                isOpen: !isDecided && !isOver, createdAt: first.at, expiresAt: expiry,
                code: Self.otp(of: first.id), page: "/sdk/v1/qr/\(first.id)?key=1",
                actions: isDecided || isOver ? [] : ["confirm", "deny"],
                steps: steps.map { Transaction.Step($0.state, at: $0.at) })
        }
    }

    func decide(_ action: String, on transactionID: String) throws {
        guard let found = try transactions().first(where: { $0.id == transactionID }), found.isOpen else {
            throw TransactionRefusal.tooLate(action, state: "over")
        }
        let parts = action.split(separator: ":").map(String.init)
        let user = parts.count > 1 ? parts[1] : "grace"
        try take("FETCHED", nil, nil, transactionID)
        services.journal.event("fetched", "A device fetched it.")
        try take(parts[0] == "deny" ? "DENIED" : "AUTHENTICATED", user, nil, transactionID)
    }
}

/// A server on a free port with that platform and the control API, for as long as the body runs.
func withTokenServer(_ body: (_ url: String) throws -> Void) throws {
    struct Answering: Responder {
        let dispatcher: Dispatcher

        func respond(to request: Request) -> Response { dispatcher.respond(to: request) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? {
            dispatcher.bodyLimit(method, path)
        }
    }
    let waits = HandlerWaits()
    let keys = try TestKeys.fixtures(for: FakeTokenServer.name)
    var settings = Worlds.Settings(builtInFixtures: keys)
    settings.waits = WaitNotice(begin: waits.begin, end: waits.end)
    let worlds = try Worlds(
        sections: [FakeTokenServer.self, Phones.self], fixtures: keys, settings: settings)
    let console = Console(
        worlds: worlds,
        info: ConsoleInfo(version: "1", platforms: [FakeTokenServer.self]),
        web: WebFiles { _ in nil }, access: ControlAccess(token: nil))
    let dispatcher = Dispatcher(worlds: worlds, platforms: [FakeTokenServer.self], settings: .init()) {
        console.mount(on: &$0)
    }
    let server = HTTPServer(limits: Limits(), responder: Answering(dispatcher: dispatcher), waits: waits)
    let bound = try server.start(on: [.tcp(host: "localhost", port: 0)])
    defer {
        worlds.close()
        server.stop(grace: 5)
    }
    for case .tcp(_, let port) in bound { return try body("http://localhost:\(port)") }
}
