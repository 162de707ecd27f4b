import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import Testing
import TestKit

@testable import MIRACL

/// What the console shows and does.
@Suite struct RecordTests {
    private let bench: TestBench<MIRACL>

    init() throws { bench = try .shop(project: #""max_attempts": 2,"#) }

    private func record(_ kind: String) throws -> ConsoleRecord {
        try #require(try bench.platform.records().first { $0.kind == kind })
    }

    private func act(_ action: String, on id: String, _ inputs: [String: String] = [:]) throws {
        try bench.platform.perform(action, onRecord: id, inputs)
    }

    private func state(_ id: String) throws -> String? { try bench.platform.record(id)?.state }

    private func actions(_ id: String) throws -> [String] {
        try #require(try bench.platform.record(id)).actions.map(\.name)
    }

    // MARK: Identities

    @Test func `an identity says whose it is, on what, and how it stands`() throws {
        let phone = try Phone(bench)
        #expect(try phone.authenticate(pin: 1).status == .unauthorized)
        let record = try record("identity")
        #expect(record.title == "phone")
        #expect(record.user == phone.userID)
        #expect(record.state == "active")
        #expect(record.createdAt == bench.time.now)
        #expect(record.id == Hex.encode(Digest.sha256(try #require(Hex.decode(phone.mpinID)))))
        let facts = Dictionary(record.facts.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(facts["Wrong PINs in a row"] == "1 of 2")
        #expect(facts["Verified by"] == "force activation")
        #expect(facts["Secrets"] == "of the project's master shares")
        #expect(facts["M-Pin id"]?.contains("\"userID\":\"ada@example.com\"") == true)
        #expect(record.actions.map(\.name) == ["block", "renew", "revoke", "delete"])
        #expect(try bench.platform.record(record.id) == record)
    }

    @Test func `a blocked identity can be unblocked, with all attempts`() throws {
        let phone = try Phone(bench)
        let id = try record("identity").id
        for status: Status in [.unauthorized, .gone] {
            #expect(try phone.authenticate(pin: 1).status == status)
        }
        #expect(try state(id) == "blocked")
        #expect(try actions(id) == ["unblock", "revoke", "delete"])

        try act("unblock", on: id)
        #expect(try phone.authenticate(pin: 1).status == .unauthorized)
        #expect(try phone.authenticate().status == .ok)
        try act("block", on: id)
        #expect(try phone.authenticate().status == .gone)
    }

    @Test func `a revoked identity stays revoked until it is deleted`() throws {
        let phone = try Phone(bench)
        let id = try record("identity").id
        try act("revoke", on: id, ["reason": "lost"])
        #expect(try phone.authenticate().status == .gone)
        #expect(bench.journal.contains { $0.explanation?.contains("was revoked: lost.") == true })
        #expect(throws: RecordRefusal.actionUnknown("unblock", known: ["delete"])) {
            try act("unblock", on: id)
        }
        try act("delete", on: id)
        #expect(try bench.platform.record(id) == nil)
        #expect(try phone.authenticate().isRefusal(.forbidden, "EXPIRED_MPINID", "The identity has expired"))
    }

    @Test func `a pending identity is verified without its mail`() throws {
        let bench = try TestBench<MIRACL>(
            MIRACL.self, fixtures: #"{"miracl": {"projects": [{"id": "shop", "name": "Shop"}]}}"#)
        let begun = try bench.call(.put, "/rps/v2/user", ["userId": "ada@example.com"]).object()
        let path = "/rps/v2/signature/\(try text(begun, "mpinId"))?regOTT=\(try text(begun, "regOTT"))"
        #expect(bench.call(.get, path).status == .unauthorized)

        let id = try #require(try bench.platform.records().first { $0.kind == "identity" }).id
        try bench.platform.perform("verify", onRecord: id, [:])
        #expect(bench.call(.get, path).status == .ok)
        let codes = try bench.platform.records().filter { $0.kind == "code" }
        #expect(codes.allSatisfy { $0.state == "used" }, "what the mail brought is good no more")
        #expect(throws: RecordRefusal.self) { try bench.platform.perform("verify", onRecord: id, [:]) }
    }

    @Test func `a registration that came to nothing has expired`() throws {
        _ = bench.call(.put, "/rps/v2/user", ["userId": "ada@example.com"])
        let id = try record("identity").id
        #expect(try state(id) == "verified")
        bench.time.advance(seconds: 3600)
        #expect(try state(id) == "expired")
    }

    // MARK: Projects

    @Test func `a project takes every registration as confirmed, or no more`() throws {
        let id = try record("project").id
        #expect(id == "bank" || id == "shop")
        #expect(try state("shop") == "force activation")
        try act("unforce", on: "shop")
        #expect(try state("shop") == "active")
        func active() throws -> JSONValue? {
            try bench.call(.put, "/rps/v2/user", ["userId": "a@example.com"]).object()["active"]
        }
        #expect(try active() == false)
        try act("force", on: "shop")
        #expect(try active() == true)
    }

    @Test func `settings of a project change at once, wrong ones not at all`() throws {
        try act(
            "configure", on: "shop",
            [
                "pin_length": "6", "max_attempts": "7", "backoff": "0", "session": "60",
                "verification_method": "code", "time_permits": "yes",
            ])
        let settings = try bench.call(.get, "/rps/v2/clientSettings").object()
        #expect(settings["usePermits"] == true)
        #expect(settings["pinLength"] == 6)
        let project = try #require(try bench.platform.projects.find("shop"))
        #expect(project.attemptLimit == 7)
        #expect(project.sessionSeconds == 60)
        #expect(project.method == .code)
        #expect(project.passSeconds == 15, "what was not named stays")
        for (name, value) in [
            ("pin_length", "7"), ("max_attempts", "many"), ("backoff", "-1"), ("session", "0"),
            ("verification_method", "pigeon"), ("time_permits", "maybe"),
        ] {
            #expect(throws: RecordRefusal.self, "\(name)") {
                try act("configure", on: "shop", ["pin_length": "5"].merging([name: value]) { $1 })
            }
        }
        #expect(try bench.platform.projects.find("shop") == project)
    }

    @Test func `master shares that were replaced are remembered five times`() throws {
        let phone = try Phone(bench)
        for _ in 1...5 { try act("rotate", on: "shop") }
        #expect(try phone.authenticate().object()["renewSecret"] != nil)
        let project = try #require(try bench.platform.projects.find("shop"))
        #expect(project.previousShares?.count == 5)
        #expect(
            project.previousShares?.first == Project.Shares(first: Shop.firstShare, second: Shop.secondShare))
        try act("rotate", on: "shop")
        #expect(try bench.platform.projects.find("shop")?.previousShares?.count == 5)
        #expect(try Phone(bench, "new@example.com").authenticate().object()["renewSecret"] == nil)
    }

    // MARK: Making

    @Test func `an activation token registers a user without a mail, once`() throws {
        try act("unforce", on: "shop")
        let id = try bench.platform.makeRecord("code", ["project": "shop", "user": "new@example.com"])
        #expect(try state(id) == "good")
        let token = try #require(id.split(separator: "-").last.map(String.init))
        let body: JSONValue = [
            "userId": "new@example.com", "deviceName": "d", "activationToken": .string(token),
            "publicKey": .string(Hex.encode(try Client.publicKey(for: number("z")).bytes)),
        ]
        #expect(bench.call(.post, "/registration", body).status == .ok)
        #expect(try state(id) == "used")
        #expect(bench.call(.post, "/registration", body).status == .forbidden)

        let second = try bench.platform.makeRecord("code", ["project": "shop", "user": "new@example.com"])
        try act("spend", on: second)
        #expect(try state(second) == "used")
        #expect(throws: RecordRefusal.self) { try act("spend", on: second) }
        bench.time.advance(seconds: 3600)
        let third = try bench.platform.makeRecord("code", ["project": "shop", "user": "new@example.com"])
        bench.time.advance(seconds: 3600)
        #expect(try state(third) == "expired")
    }

    @Test func `a project comes with its application`() throws {
        let made = try bench.platform.makeRecord(
            "project",
            [
                "id": "club", "name": "Club", "client_id": "club-app", "client_secret": "club-secret",
                "redirect_uri": "http://localhost:9/login",
            ])
        #expect(made == "club")
        #expect(try bench.platform.record("club")?.title == "Club")
        let begun = bench.call(.put, "/rps/v2/user", ["userId": "a@example.com"], ["X-MIRACL-CID": "club"])
        #expect(try begun.object()["projectId"] == "club")
        #expect(
            try bench.world.database.read { db in try bench.platform.server.clients.find("club-app", in: db) }
                != nil)

        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        let other = try TestBench<MIRACL>(MIRACL.self, fixtures: exported)
        #expect(
            try other.platform.projects.find("club")?.application("club-app")?.clientSecret == "club-secret")
    }

    @Test func `what cannot be made is refused, and changes nothing`() throws {
        let before = try bench.worlds.export(bench.world)
        let wrong: [(String, [String: String])] = [
            ("code", ["user": "a"]), ("code", ["project": "shop"]),
            ("code", ["project": "lost", "user": "a"]),
            ("project", [:]), ("project", ["id": "shop"]), ("project", ["id": "new", "client_id": "a"]),
            ("project", ["id": "new", "client_id": "shop-app", "redirect_uri": "http://x/"]),
            ("project", ["id": "new", "client_id": "new", "redirect_uri": "no address"]), ("phone", [:]),
        ]
        for (kind, inputs) in wrong {
            #expect(throws: RecordRefusal.self, "\(kind) \(inputs)") {
                try bench.platform.makeRecord(kind, inputs)
            }
        }
        #expect(throws: RecordRefusal.unknown("lost")) { try act("block", on: "lost") }
        #expect(try bench.worlds.export(bench.world) == before)
        #expect(try bench.platform.newRecords().map(\.kind) == ["code", "project"])
    }

    // MARK: Sessions

    @Test func `redirect URIs of a client can be changed, and hold for the next request`() throws {
        let platform = bench.platform
        let new = "http://localhost:8000/login"
        let query =
            "/miracl/authorize?client_id=shop-app&response_type=code&scope=openid&state=s&redirect_uri="
        #expect(bench.send(.post, query + new).status == .badRequest)
        try platform.perform(
            "redirect", onRecord: "shop",
            ["client_id": "shop-app", "redirect_uris": "\(new)\nhttps://shop.example/login"])
        #expect(bench.send(.post, query + new).status == .ok)
        #expect(bench.send(.post, query + "http://localhost:3000/login").status == .badRequest)
        let record = try #require(try platform.record("shop"))
        #expect(
            record.facts.contains(
                ConsoleRecord.Fact("Redirect URIs", "shop-app: \(new) https://shop.example/login")))

        for (inputs, reason) in [
            (["client_id": "nobody", "redirect_uris": new], "no client"),
            (["client_id": "shop-app", "redirect_uris": "no url"], "cannot be taken"),
        ] {
            let error = #expect(throws: RecordRefusal.self) {
                try platform.perform("redirect", onRecord: "shop", inputs)
            }
            #expect(error?.explanation.contains(reason) == true, "\(error?.explanation ?? "")")
        }
        #expect(throws: RecordRefusal.inputMissing("redirect_uris")) {
            try platform.perform("redirect", onRecord: "shop", ["client_id": "shop-app"])
        }
        #expect(bench.send(.post, query + new).status == .ok, "a refusal changes nothing")
    }

    @Test func `logins at relying parties are transactions, which the console can end`() throws {
        let opened = bench.send(
            .post,
            "/miracl/authorize?client_id=shop-app&response_type=code&scope=openid&state=s"
                + "&prerollid=ada%40example.com&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Flogin")
        let browser = try Browser(bench, opened)
        let shown = try #require(try bench.platform.transactions().first)
        #expect((shown.id, shown.kind, shown.title) == (browser.accessID, "login", "Login at Shop app"))
        #expect((shown.state, shown.isOpen, shown.user) == ("new", true, "ada@example.com"))
        #expect(shown.page == "/authorize/wait/" + browser.webOTT)
        #expect(shown.code == browser.qrURL)
        try bench.platform.decide("abort", on: browser.accessID)
        #expect(try browser.status == "abort")
        let over = try #require(try bench.platform.transactions().first)
        #expect(!over.isOpen && over.code == nil)
    }

    @Test func `sessions of pages without a relying party wait for a phone too`() throws {
        let page = try Browser(bench, bench.call(.post, "/rps/v2/session", ["projectId": "shop"]))
        let shown = try #require(try bench.platform.transactions().first)
        #expect((shown.id, shown.kind, shown.title) == (page.accessID, "login", "Login at Shop"))
        #expect((shown.code, shown.page, shown.actions) == (page.qrURL, nil, ["expire", "abort"]))
        try bench.platform.decide("abort", on: page.accessID)
        #expect(try page.status == "abort")

        let registering = try Browser(
            bench,
            bench.call(
                .post,
                "/authorize?client_id=shop-app&response_type=code&scope=openid&state=s"
                    + "&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Flogin", ["registerOnly": true]))
        let registration = try #require(try bench.platform.transactions().first)
        #expect((registration.id, registration.kind) == (registering.accessID, "registration"))
        #expect(registration.title == "Registration at Shop app")

        _ = bench.call(.post, "/rps/v2/getAccessNumber?projectId=shop", [:])
        let typed = try #require(try bench.platform.transactions().first)
        #expect(typed.isOpen && typed.code == nil, "a number is typed")
    }

    private func signingSession() throws -> String {
        try text(
            bench.call(.post, "/dvs/session", ["hash": "00", "description": "Ten euros"]).object(), "id")
    }

    @Test func `what is to be signed is a transaction, and can be refused`() throws {
        let id = try signingSession()
        let shown = try #require(try bench.platform.transactions().first)
        #expect((shown.id, shown.kind, shown.title) == (id, "signature", "Ten euros"))
        #expect(shown.code == "http://localhost:8420/miracl/mobile-login/#" + id)
        #expect((shown.state, shown.isOpen, shown.actions) == ("new", true, ["expire", "abort"]))
        #expect(throws: TransactionRefusal.actionUnknown("sign", known: ["expire", "abort"])) {
            try bench.platform.decide("sign", on: id)
        }
        try bench.platform.decide("abort", on: id)
        #expect(try bench.platform.transactions().first?.state == "abort")
        #expect(throws: TransactionRefusal.tooLate("expire", state: "abort")) {
            try bench.platform.decide("expire", on: id)
        }
        let second = try signingSession()
        try bench.platform.decide("expire", on: second)
        #expect(try bench.platform.transactions().first?.state == "expired")
        #expect(try bench.platform.transactions().map(\.id) == [second, id])
        #expect(throws: TransactionRefusal.unknown("lost")) {
            try bench.platform.decide("abort", on: "lost")
        }
    }

    @Test func `an access session is a record, and can be ended`() throws {
        let bench = try TestBench<MIRACL>.shop(
            section: """
                "sessions": [{"access_id": "a", "web_ott": "w", "project_id": "shop", "state": "wid",
                    "authorization": {"client_id": "shop-app", "redirect_uri": "http://localhost:3000/login",
                        "names_redirect_uri": true, "scope": "openid", "issuer": "http://localhost:8420/miracl"},
                    "preroll_id": "ada", "register_only": false, "created_at": "2026-01-02T03:00:00Z",
                    "expires_at": "2026-01-02T03:10:00Z"},
                    {"access_id": "b", "web_ott": "v", "project_id": "shop", "state": "new", "register_only": false,
                    "created_at": "2026-01-02T03:00:00Z", "expires_at": "2026-01-02T03:10:00Z"}]
                """)
        let record = try #require(try bench.platform.record("a"))
        #expect((record.kind, record.title, record.user) == ("session", "Login at Shop app", "ada"))
        #expect((record.state, record.actions.map(\.name)) == ("wid", ["expire", "abort"]))
        try bench.platform.perform("expire", onRecord: "a", [:])
        #expect(try bench.platform.record("a")?.state == "expired")
        #expect(try bench.platform.record("a")?.actions.isEmpty == true)
        try bench.platform.perform("abort", onRecord: "b", [:])
        #expect(try bench.platform.record("b")?.state == "abort")
    }
}
