// Understudy @VERSION@ for tests in Swift 6.2 or later on iOS, macOS and Linux: XCTest and Swift Testing, nothing else to install.
// understudy helper swift > Tests/AppTests/Understudy.swift
//   final class LoginTests: WorldTestCase {                    // XCTest: a world for each test
//       func testLogin() async throws { let code = try await world.code("ada@example.test") … }
//   }
//   @Test(.world) func login() async throws {                  // Swift Testing: the same, also @Suite(.world)
//       let code = try await World.current.code("ada@example.test") …
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
    /// The program of UNDERSTUDY_URL, or a new one, with options of understudy serve.
    static func connect(_ options: String...) async throws -> Understudy {
        let environment = ProcessInfo.processInfo.environment
        if let url = environment["UNDERSTUDY_URL"] { return Understudy(url: url, token: environment["UNDERSTUDY_CONTROL_TOKEN"]) }
        #if os(macOS) || os(Linux)
            let process = Process(), input = Pipe(), output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\"$@\" & exec >/dev/null; cat; kill $!", "sh", environment["UNDERSTUDY_BINARY"] ?? "understudy", "serve", "--port", "0", "--json"] + options
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
    /// A new world. Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from.
    func world(_ order: Members = [:]) async throws -> World {
        let made = try await call("POST", "/worlds", order) as? Members ?? [:]
        return World(server: self, name: made["name"] as? String ?? "", url: made["baseURL"] as? String ?? "", urls: made["urls"] as? [String: String] ?? [:])
    }
    /// A call of the control API; what it answers, of JSON as Foundation reads it, else text.
    @discardableResult func call(_ method: String, _ path: String, _ body: Members? = nil, query: [String: String] = [:], at base: String? = nil) async throws -> Any {
        let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text }
        let asked = query.isEmpty ? "" : "?" + query.map { encode($0) + "=" + encode($1) }.joined(separator: "&")
        guard let url = URL(string: (base ?? url) + "/_understudy/v1" + path + asked) else { throw Problem(detail: "\(base ?? self.url) is no address") }
        var request = URLRequest(url: url, timeoutInterval: 90)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let said = response.mimeType?.hasSuffix("json") == true ? try JSONSerialization.jsonObject(with: data) : String(decoding: data, as: UTF8.self)
        if status < 400 { return said }
        let told = said as? Members
        throw Problem(status: status, title: told?["title"] as? String ?? "no answer of Understudy", detail: told?["detail"] as? String ?? "\(said)")
    }
}

/// A complete set of users, keys, mails, time and journal, which no other test sees. `urls`: base URLs by their path, such as `hanko`.
struct World: Sendable {
    let server: Understudy, name, url: String, urls: [String: String]
    @discardableResult func call(_ method: String, _ path: String, _ body: Members? = nil, query: [String: String] = [:]) async throws -> Members {
        try await server.call(method, path, body, query: query, at: url) as? Members ?? [:]
    }
    /// The newest code that was sent to somebody and is still good, waited for. Query: kind, after, used.
    func code(_ to: String, wait: Int = 10, query: [String: String] = [:]) async throws -> String {
        try await message(to, wait: wait, query: query)["code"] as? String ?? ""
    }
    func message(_ to: String, wait: Int = 10, query: [String: String] = [:]) async throws -> Members {
        try await call("GET", "/codes", query: query.merging(["to": to, "wait": "\(wait)"]) { $1 })
    }
    func outbox(query: [String: String] = [:]) async throws -> [Members] { try await call("GET", "/outbox", query: query)["messages"] as? [Members] ?? [] }
    /// The newest message, whole, with all codes and links in it. Query: to, subject, kind, q, after, explain.
    func latest(wait: Int = 10, query: [String: String] = [:]) async throws -> Members {
        try await call("GET", "/outbox/latest", query: query.merging(["wait": "\(wait)"]) { $1 })
    }
    /// A text message of your own back end. Returns it with the code in it.
    @discardableResult func sendText(_ text: String, to: String) async throws -> Members { try await call("POST", "/outbox", ["to": to, "text": text]) }
    func clearOutbox(query: [String: String] = [:]) async throws { try await call("DELETE", "/outbox", query: query) }  // to
    func advance(_ seconds: Double) async throws { try await call("POST", "/clock/advance", ["seconds": seconds]) }
    func setClock(_ clock: Members) async throws { try await call("PUT", "/clock", clock) }  // now, frozen, tokenTimes
    /// Something goes wrong from now on: `fault(["answer": ["status": 503]], match: ["platform": "hanko"])`. Returns the fault's name.
    @discardableResult func fault(_ effect: Members, match: Members = [:]) async throws -> String {
        try await call("POST", "/faults", ["match": match, "effect": effect])["name"] as? String ?? ""
    }
    func clearFaults() async throws { try await call("DELETE", "/faults") }
    func snapshot(_ name: String) async throws { try await call("POST", "/snapshots", ["name": name]) }
    func restore(_ name: String) async throws { try await call("POST", "/snapshots/\(name)/restore") }
    func phone(_ name: String) -> Phone { Phone(world: self, name: name) }
    /// A new and empty phone. Order: owner, mail, model, policy and what else set() knows.
    func addPhone(_ name: String, _ order: Members = [:]) async throws -> Phone { try await call("POST", "/phones", order.merging(["name": name]) { $1 }); return phone(name) }
    /// The newest flow, such as a login, as text that is the same in each run. Query: user, platform, since, format (mermaid, svg).
    func flow(wait: Int = 5, query: [String: String] = [:]) async throws -> String {
        let query = ["wait": "\(wait)", "format": "text"].merging(query) { $1 }
        return try await server.call("GET", "/flows/last", query: query, at: url) as? String ?? ""
    }
    /// What was refused in this world and why, the oldest first, a line each.
    func refusals() async throws -> [String] {
        let entries = try await call("GET", "/journal", query: ["refused": "true"])["entries"] as? [Members] ?? []
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
    private func tell(_ action: String, _ body: Members, wait: Int? = nil) async throws -> Members {
        try await world.call("POST", "/phones/\(name)/\(action)", body, query: wait.map { ["wait": "\($0)"] } ?? [:])
    }
    /// Platform, pin, protocol and more.
    @discardableResult func enrol(_ order: Members = [:]) async throws -> Members { try await tell("enrol", order) }
    /// The text of a QR code, a link or a typed code.
    @discardableResult func scan(_ text: String, _ order: Members = [:]) async throws -> Members { try await tell("scan", order.merging(["text": text]) { $1 }) }
    func pending(wait: Int = 0) async throws -> [Members] {
        try await world.call("GET", "/phones/\(name)/pending", query: ["wait": "\(wait)"])["requests"] as? [Members] ?? []
    }
    /// The first request that waits; answer: id, with ("wrong-pin", "biometry"), pin, after, fault.
    @discardableResult func approve(_ answer: Members = [:], wait: Int = 10) async throws -> Members { try await tell("approve", answer, wait: wait) }
    @discardableResult func decline(_ answer: Members = [:], wait: Int = 10) async throws -> Members { try await tell("decline", answer, wait: wait) }
    /// The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token.
    func sign(_ order: Members = [:]) async throws -> [String: String] { try await tell("sign", order)["headers"] as? [String: String] ?? [:] }
    /// What the owner can do in an app: begin("applogin", platform: "nextauth").
    @discardableResult func begin(_ action: String, _ inputs: [String: String] = [:], platform: String? = nil) async throws -> Members {
        try await tell("do", ["action": action, "inputs": inputs].merging(platform.map { ["platform": $0] } ?? [:]) { $1 })
    }
    func set(_ change: Members) async throws { try await world.call("PATCH", "/phones/\(name)", change) }  // policy, network, clockSkew and more
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
