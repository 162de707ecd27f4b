// Understudy @VERSION@ for tests in Swift 6.2 or later on iOS, macOS and Linux: XCTest and Swift Testing, nothing else to install.
// understudy helper swift > Tests/AppTests/Understudy.swift
//   final class LoginTests: WorldTestCase {                    // XCTest: a world for each test
//       func testLogin() async throws { let code = try await world.code("ada@example.com") … }
//   }
//   @Test(.world) func login() async throws {                  // Swift Testing: the same, also @Suite(.world)
//       let code = try await World.current.code("ada@example.com") …
//   }
// On a simulator or a device UNDERSTUDY_URL names the program; xcodebuild hands it on when it is called TEST_RUNNER_UNDERSTUDY_URL.
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An object of JSON: `["answer": ["status": 503]]`, `answer["code"] as? String`.
typealias Members = [String: Any]

/// The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence.
struct Problem: Error, CustomStringConvertible {
    var status = 0, title = "no answer of Understudy", detail = ""
    var description: String { "\(status) \(title): \(detail)" }
}

/// A running program: that of UNDERSTUDY_URL, or on macOS and Linux one of our own, which ends with the last value that stands for it.
struct Understudy: Sendable {
    let url: String
    var token: String?, life: FileHandle?
    /// One program for all tests of this process.
    static let shared = Task { try await connect() }
    /// A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH.
    static func start(_ options: String...) async throws -> Understudy { try begin(options) }
    /// The program of UNDERSTUDY_URL, or a new one.
    static func connect(_ options: String...) async throws -> Understudy {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["UNDERSTUDY_URL"] else { return try begin(options) }
        return Understudy(url: url, token: environment["UNDERSTUDY_CONTROL_TOKEN"])
    }
    private static func begin(_ options: [String]) throws -> Understudy {
        #if os(macOS) || os(Linux)
            let process = Process(), input = Pipe(), output = Pipe(), binary = ProcessInfo.processInfo.environment["UNDERSTUDY_BINARY"]
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\"$@\" & exec >/dev/null; cat; kill $!", "sh", binary ?? "understudy", "serve", "--port", "0", "--json"] + options
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { throw Problem(detail: "understudy did not start; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs") }
                line += more
            }
            let banner = try JSONSerialization.jsonObject(with: line) as? Members
            return Understudy(url: banner?["url"] as? String ?? "", token: banner?["controlToken"] as? String, life: input.fileHandleForWriting)
        #else
            throw Problem(detail: "no program can be started here; say in UNDERSTUDY_URL where one runs")
        #endif
    }
    /// Ends a program that start() began; leaves any other alone.
    func stop() throws { try life?.close() }
    /// A new world. Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from.
    func world(_ order: Members = [:]) async throws -> World {
        let made = try await call("POST", "/worlds", order) as? Members ?? [:]
        return World(server: self, name: made["name"] as? String ?? "", url: made["baseURL"] as? String ?? "", urls: made["urls"] as? [String: String] ?? [:])
    }
    /// A call of the control API; what it answers, of JSON as Foundation reads it, else text.
    @discardableResult func call(_ method: String, _ path: String, _ body: Members? = nil, query: Members = [:], at base: String? = nil) async throws -> Any {
        let (data, type) = try await send(method, path, body, query, base ?? url)
        return type?.hasSuffix("json") == true ? try JSONSerialization.jsonObject(with: data) : String(decoding: data, as: UTF8.self)
    }
    fileprivate func send(_ method: String, _ path: String, _ body: Members?, _ query: Members, _ base: String) async throws -> (Data, type: String?) {
        let asked = query.isEmpty ? "" : "?" + query.map { encode($0) + "=" + encode("\($1)") }.joined(separator: "&")
        guard let url = URL(string: base + "/_understudy/v1" + path + asked) else { throw Problem(detail: "\(base) is no address") }
        var request = URLRequest(url: url, timeoutInterval: 90)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status < 400 { return (data, response.mimeType) }
        let told = try? JSONSerialization.jsonObject(with: data) as? Members
        let detail = told?["detail"] as? String ?? String(decoding: data, as: UTF8.self)
        throw Problem(status: status, title: told?["title"] as? String ?? "no answer of Understudy", detail: detail)
    }
}

private func encode(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text }

/// What the control API answers. Times are texts of RFC 3339.
struct Code: Decodable, Sendable { let id: Int, kind, to: String, code, link: String?, sentAt: String, expiresAt, usedAt: String?, source: String }
struct Address: Decodable, Sendable { let address: String, name: String? }
struct Message: Decodable, Sendable {
    let id: Int, channel, kind: String, from, to: Address, subject, text: String, code, link: String?, sentAt: String, expiresAt, usedAt: String?
    let source: String, html: Bool, attachments: [Attachment]?, remarks: [String]?, codes: [FoundCode]?, links: [Link]?
}
struct Attachment: Decodable, Sendable { let number: Int, name, type: String, size: Int }
struct FoundCode: Decodable, Sendable { let code, context: String, score: Int, parts: [String] }
struct Link: Decodable, Sendable { let link, text: String, goal: String?, score: Int }
/// A mail with the text of its HTML part.
@dynamicMemberLookup struct Mail: Sendable {
    let message: Message, html: String?
    subscript<Value>(dynamicMember path: KeyPath<Message, Value>) -> Value { message[keyPath: path] }
}
struct Fact: Decodable, Sendable { let name, value: String }
struct Step: Decodable, Sendable { let state, at: String }
struct Notice: Decodable, Sendable { let url, at: String, status: Int?, failure: String?, duration: Double }
struct Transaction: Decodable, Sendable {
    let id, platform, kind, title: String, user: String?, state: String, open: Bool, createdAt, expiresAt: String, secondsLeft: Int?
    let code, page: String?, facts: [Fact], actions: [String], steps: [Step], notices: [Notice]
}
struct PlatformRecord: Decodable, Sendable {
    struct Action: Decodable, Sendable { let name, title: String, final: Bool }
    let id, platform, kind, title: String, user: String?, state, createdAt: String, facts: [Fact], code: String?, actions: [Action], steps: [Step]
}
/// Of a JWT with header and claims as Foundation reads JSON: `claims?["aud"] as? [String]`.
@dynamicMemberLookup struct MintedToken: @unchecked Sendable {
    struct Facts: Decodable, Sendable { let token, platform, kind, format: String, expiresAt: String?, isRegistered: Bool, use: String, flaw, explanation: String? }
    let facts: Facts, header, claims: Members?
    subscript<Value>(dynamicMember path: KeyPath<Facts, Value>) -> Value { facts[keyPath: path] }
}
struct PhoneReport: Decodable, Sendable { let kind, id: String, code: String?, detail: String }
struct PhoneRequest: Decodable, Sendable { let id, platform: String, account: String?, kind, title, message: String, details: [Fact], ways: [String] }

/// A complete set of users, keys, mails, time and journal, which no other test sees. `urls`: base URLs by their path, such as `hanko`.
struct World: Sendable {
    let server: Understudy, name, url: String, urls: [String: String]
    @discardableResult func call(_ method: String, _ path: String, _ body: Members? = nil, query: Members = [:]) async throws -> Members {
        try await server.call(method, path, body, query: query, at: url) as? Members ?? [:]
    }
    fileprivate func read<Shape: Decodable>(_ method: String, _ path: String, _ body: Members? = nil, _ query: Members = [:]) async throws -> Shape {
        try await JSONDecoder().decode(Shape.self, from: server.send(method, path, body, query, url).0)
    }
    fileprivate func list<Shape: Decodable>(_ path: String, _ name: String, _ query: Members) async throws -> [Shape] {
        let all = try await call("GET", path, query: query)[name] ?? [Members]()
        return try JSONDecoder().decode([Shape].self, from: JSONSerialization.data(withJSONObject: all))
    }
    /// The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used.
    func code(_ to: String, _ query: Members = [:]) async throws -> String { try await message(to, query).code ?? "" }
    /// The same with id, kind, link and times.
    func message(_ to: String, _ query: Members = [:]) async throws -> Code { try await read("GET", "/codes", nil, ["to": to, "wait": 10].merging(query) { $1 }) }
    /// The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after.
    func mail(_ to: String, _ query: Members = [:]) async throws -> Mail {
        let mail = try await latest(query.merging(["to": to]) { $1 })
        return Mail(message: mail, html: mail.html ? try await server.call("GET", "/outbox/\(mail.id)/html", at: url) as? String : nil)
    }
    /// All messages, the newest first. Query: to, subject, kind, q, after, limit, wait.
    func outbox(_ query: Members = [:]) async throws -> [Message] { try await list("/outbox", "messages", query) }
    /// The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain.
    func latest(_ query: Members = [:]) async throws -> Message { try await read("GET", "/outbox/latest", nil, ["wait": 10].merging(query) { $1 }) }
    /// A text message of your own back end. Returns it with the code in it.
    @discardableResult func sendText(_ to: String, _ text: String, from: String? = nil) async throws -> Message {
        try await read("POST", "/outbox", ["to": to, "text": text].merging(from.map { ["from": $0] } ?? [:]) { $1 })
    }
    func clearOutbox(_ to: String? = nil) async throws { try await call("DELETE", "/outbox", query: to.map { ["to": $0] } ?? [:]) }
    /// Lets time pass in this world alone.
    func advance(_ seconds: Double) async throws { try await call("POST", "/clock/advance", ["seconds": seconds]) }
    func setClock(_ clock: Members) async throws { try await call("PUT", "/clock", clock) }  // now, frozen, tokenTimes
    /// Something goes wrong from now on: `fault("down", match: ["platform": "hanko"], effect: ["answer": ["status": 503]])`. A name of nil is made up.
    @discardableResult func fault(_ name: String?, match: Members, effect: Members) async throws -> String {
        try await call("POST", "/faults", ["name": name ?? NSNull(), "match": match, "effect": effect])["name"] as? String ?? ""
    }
    func clearFaults() async throws { try await call("DELETE", "/faults") }
    func snapshot(_ name: String) async throws { try await call("POST", "/snapshots", ["name": name]) }
    func restore(_ name: String) async throws { try await call("POST", "/snapshots/\(encode(name))/restore") }
    /// A simulated phone that is there, such as ada.
    func phone(_ name: String) -> Phone { Phone(world: self, name: name) }
    /// A new and empty phone. Order: owner, mail, model, policy and what else set() knows.
    func addPhone(_ name: String, _ order: Members = [:]) async throws -> Phone { try await call("POST", "/phones", order.merging(["name": name]) { $1 }); return phone(name) }
    /// What keeps the passkeys of a phone that is there, such as ada.
    func authenticator(_ phone: String) -> Authenticator { Authenticator(world: self, phone: phone) }
    /// A token without its flow: `mint("hanko", "session", ["user": "ada@example.com"]).token`. Order: user, client, scope, claims, lifetime, flaw, key.
    func mint(_ platform: String, _ kind: String, _ order: Members = [:]) async throws -> MintedToken {
        let (data, _) = try await server.send("POST", "/tokens", order.merging(["platform": platform, "kind": kind]) { $1 }, [:], url)
        let told = try JSONSerialization.jsonObject(with: data) as? Members ?? [:]
        return MintedToken(facts: try JSONDecoder().decode(MintedToken.Facts.self, from: data), header: told["header"] as? Members, claims: told["claims"] as? Members)
    }
    /// What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait.
    func transactions(_ query: Members = [:]) async throws -> [Transaction] { try await list("/transactions", "transactions", query) }
    /// Does with a transaction what a person would do, by an action that it names.
    @discardableResult func decide(_ id: String, _ action: String) async throws -> Transaction { try await read("POST", "/transactions/\(encode(id))/\(action)") }
    /// What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait.
    func records(_ query: Members = [:]) async throws -> [PlatformRecord] { try await list("/records", "records", query) }
    @discardableResult func addRecord(_ platform: String, _ kind: String, _ inputs: [String: String] = [:]) async throws -> (id: String, code: String?) {
        let made = try await call("POST", "/records", ["platform": platform, "kind": kind, "inputs": inputs])
        return (made["id"] as? String ?? "", made["code"] as? String)
    }
    /// Does to a record what the console offers, by an action that it names; nil when it is gone then.
    @discardableResult func changeRecord(_ platform: String, _ id: String, _ action: String, _ inputs: [String: String] = [:]) async throws -> PlatformRecord? {
        let (data, type) = try await server.send("POST", "/records/\(platform)/\(encode(id))/\(action)", ["inputs": inputs], [:], url)
        return type == nil || data.isEmpty ? nil : try JSONDecoder().decode(PlatformRecord.self, from: data)
    }
    /// The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg).
    func flow(_ query: Members = [:]) async throws -> String {
        try await server.call("GET", "/flows/last", query: ["wait": 5, "format": "text"].merging(query) { $1 }, at: url) as? String ?? ""
    }
    /// What was refused in this world and why, the oldest first, a line each.
    func refusals() async throws -> [String] {
        let entries = try await call("GET", "/journal", query: ["refused": true])["entries"] as? [Members] ?? []
        return entries.reversed().map { entry in
            let asked = entry["exchange"] as? Members ?? [:]
            return "\(asked["method"] ?? "") \(asked["target"] ?? "") → \(asked["status"] ?? ""): \(entry["explanation"] ?? "")"
        }
    }
    func delete() async throws { try await server.call("DELETE", "/worlds/\(name)") }
    fileprivate func told() async throws -> String? {
        let refusals = try await refusals()
        return refusals.isEmpty ? nil : "Refused in the world \(name):\n" + refusals.joined(separator: "\n")
    }
    @TaskLocal fileprivate static var bound: World?
    /// That of the test that runs, with the trait `.world`.
    static var current: World { get throws { if let bound { bound } else { throw Problem(detail: "no world here; the test needs @Test(.world)") } } }
}

/// A simulated phone with an app for each platform. What its app or the platform refuses is a ``Problem`` with the SDK's name for it.
struct Phone: Sendable {
    let world: World, name: String
    private func tell<Shape: Decodable>(_ action: String, _ body: Members) async throws -> Shape {
        let (body, wait) = (body.filter { $0.key != "wait" }, body.filter { $0.key == "wait" })
        return try await world.read("POST", "/phones/\(encode(name))/\(action)", body, wait)
    }
    /// Has its owner enrolled. Order: platform, pin, protocol and more.
    @discardableResult func enrol(_ order: Members = [:]) async throws -> PhoneReport { try await tell("enrol", order) }
    /// Takes the text of a QR code, a link or a typed code.
    @discardableResult func scan(_ text: String, _ order: Members = [:]) async throws -> PhoneReport { try await tell("scan", order.merging(["text": text]) { $1 }) }
    /// The requests that wait for an answer. Query: wait.
    func pending(_ query: Members = [:]) async throws -> [PhoneRequest] { try await world.list("/phones/\(encode(name))/pending", "requests", query) }
    /// The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account.
    @discardableResult func approve(_ answer: Members = [:]) async throws -> PhoneReport { try await tell("approve", ["wait": 10].merging(answer) { $1 }) }
    /// The same with no. Answer: wait, id, reason, platform, account and more.
    @discardableResult func decline(_ answer: Members = [:]) async throws -> PhoneReport { try await tell("decline", ["wait": 10].merging(answer) { $1 }) }
    /// The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token.
    func sign(_ order: Members = [:]) async throws -> [String: String] { try await (tell("sign", order) as [String: [String: String]])["headers"] ?? [:] }
    /// What the owner can do in an app: `begin("applogin", "nextauth", ["inactivity_timeout": "120"])`.
    @discardableResult func begin(_ action: String, _ platform: String? = nil, _ inputs: [String: String] = [:]) async throws -> PhoneReport {
        try await tell("do", ["action": action, "platform": platform ?? NSNull(), "inputs": inputs])
    }
    func set(_ change: Members) async throws { try await world.call("PATCH", "/phones/\(encode(name))", change) }  // policy, network, clockSkew and more
}

/// Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text.
struct Authenticator: Sendable {
    let world: World, phone: String
    private var path: String { "/authenticators/\(encode(phone))" }
    private func answer(_ call: String, to options: String, _ query: Members) async throws -> String {
        let asked = try JSONSerialization.jsonObject(with: Data(options.utf8)) as? Members
        return String(decoding: try await world.server.send("POST", "\(path)/\(call)", asked, query, world.url).0, as: UTF8.self)
    }
    /// What navigator.credentials.create() does. Query: origin, of the page or app.
    func create(_ options: Members, _ query: Members = [:]) async throws -> Members { try await world.call("POST", path + "/create", options, query: query) }
    func create(_ options: String, _ query: Members = [:]) async throws -> String { try await answer("create", to: options, query) }
    /// What navigator.credentials.get() does. Query: origin, credential (an id, where several fit).
    func get(_ options: Members, _ query: Members = [:]) async throws -> Members { try await world.call("POST", path + "/get", options, query: query) }
    func get(_ options: String, _ query: Members = [:]) async throws -> String { try await answer("get", to: options, query) }
    /// `set(["origin": "https://example.com", "behaviour": ["userHandleForm": "text", "neverSettles": "create", "breaksSignature": true]])` and more.
    func set(_ change: Members) async throws { try await world.call("PATCH", path, change) }
}

#if canImport(XCTest)
    import XCTest

    /// A world for each test; one that fails also says what was refused in it.
    class WorldTestCase: XCTestCase {
        var world: World { get throws { try own ?? World.current } }
        private var own: World?

        override func setUp() async throws { own = try await Understudy.shared.value.world() }
        override func tearDown() async throws {
            if let testRun, testRun.totalFailureCount > 0, let told = try await own?.told() { XCTFail(told) }
            try await own?.delete()
        }
    }
#endif

#if canImport(Testing) && compiler(>=6.2)
    import Testing

    /// `@Test(.world)`: a world for each test; one that fails also says what was refused in it.
    struct WorldTrait: TestTrait, SuiteTrait, TestScoping {
        let isRecursive = true

        func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void) async throws {
            guard testCase != nil else { return try await body() }
            let world = try await Understudy.shared.value.world(), failures = Failures()
            let watch: IssueHandlingTrait = .compactMapIssues { failures.add($0) }
            try await watch.provideScope(for: test, testCase: testCase) {
                do { try await World.$bound.withValue(world, operation: body) } catch { Issue.record(error) }
            }
            if failures.happened, let told = try await world.told() { Issue.record("\(told)") }
            try await world.delete()
        }

        private final class Failures: @unchecked Sendable {
            private let lock = NSLock()
            private var found = false
            var happened: Bool { lock.withLock { found } }
            func add(_ issue: Issue) -> Issue { lock.withLock { found = true }; return issue }
        }
    }

    extension Trait where Self == WorldTrait { static var world: Self { Self() } }
#endif
