import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What is written down. Source: Hanko 2.7, audit log.
struct AuditTests {
    private static let storing = "\"audit_log\": {\"storage\": {\"enabled\": true}}"

    /// Entries of several types, a minute apart.
    private func bench(config: String = storing) throws -> TestBench<Hanko> {
        let bench = try TestBench.admin(config: config)
        let hanko = Hanko(bench.world)
        var request = Request(.post, "/login", headers: ["User-Agent": "app/1"])
        request.context.id = "r1"
        let announcer = try hanko.announcer(request)
        let other = try hanko.announcer(
            Request(.post, "/", peer: .init(address: "192.0.2.7", isLoopback: false, isSecure: false)))
        try bench.world.change { turn in
            try announcer.audit(
                .loginSuccess, userID: Ada.id, details: ["flow_id": "f", "login_method": "pwd"], in: turn)
        }
        try bench.clock.advance(seconds: 60)
        try bench.world.change { turn in
            try announcer.audit(
                .loginFailure, address: "stranger@example.com", error: "wrong password", in: turn)
        }
        try bench.clock.advance(seconds: 60)
        try bench.world.change { try other.audit(.passcodeFinalFailed, userID: Grace.id, in: $0) }
        return bench
    }

    private func types(_ response: Response) throws -> [JSONValue] {
        guard case .array(let entries) = try response.value() else { throw HookMissing() }
        return entries.map { if case .object(let entry) = $0 { entry["type"] ?? nil } else { nil } }
    }

    @Test func `an entry has everything, and the newest is the first`() throws {
        let response = try bench().admin(.get, "/audit_logs")

        #expect(response.status == .ok)
        #expect(response.headers["X-Total-Count"] == "3")
        guard case .array(var entries) = try response.value(), entries.count == 3,
            case .object(var oldest) = entries.removeLast(), case .object(let failed) = entries.removeLast()
        else { throw HookMissing() }
        guard case .string(let id)? = oldest.removeValue(forKey: "id") else { throw HookMissing() }
        #expect(UUIDText.isVersion4(id))
        #expect(
            oldest == [
                "type": "login_success", "meta_http_request_id": "r1", "meta_source_ip": "127.0.0.1",
                "meta_user_agent": "app/1", "actor_user_id": .string(Ada.id),
                "actor_email": .string(Ada.address), "details": ["flow_id": "f", "login_method": "pwd"],
                "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",
            ])
        #expect(failed["error"] == "wrong password")
        #expect(failed["actor_user_id"] == nil)
        #expect(failed["details"] == .null)
    }

    @Test(arguments: [
        ("type=login_success", ["login_success"]),
        ("type=login_success&type=login_failure", ["login_failure", "login_success"]),
        ("type=user_created", []),
        ("actor_user_id=\(Grace.id)", ["passcode_login_final_failed"]),
        ("actor_email=stranger@example.com", ["login_failure"]),
        ("actor_email=stranger", []),
        ("meta_source_ip=192.0.2.7", ["passcode_login_final_failed"]),
        ("q=192.0", ["passcode_login_final_failed"]),
        ("q=STRANGER", ["login_failure"]),
        ("q=ada00000", ["login_success"]),
        ("start_time=2026-01-02T03:05:05Z", ["passcode_login_final_failed", "login_failure"]),
        ("end_time=2026-01-02T03:05:05Z", ["login_failure", "login_success"]),
        ("start_time=2026-01-02T04:05:04%2B01:00&end_time=2026-01-02T03:05:06Z", ["login_failure"]),
        ("per_page=1", ["passcode_login_final_failed"]),
        ("per_page=1&page=3", ["login_success"]),
    ])
    func `filters narrow the list`(query: String, expected: [String]) throws {
        let response = try bench().admin(.get, "/audit_logs?" + query)

        #expect(try types(response) == expected.map(JSONValue.string))
        #expect(response.headers["X-Total-Count"] == (query.contains("page") ? "3" : "\(expected.count)"))
    }

    @Test(arguments: ["start_time=yesterday", "end_time=2026-01-02", "page=x", "per_page=-1"])
    func `a query that makes no sense is 400`(query: String) throws {
        let bench = try bench()

        let response = bench.admin(.get, "/audit_logs?" + query)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains("“" + query.prefix { $0 != "=" } + "”") == true)
    }

    @Test func `without storage nothing is kept, and the journal tells it`() throws {
        let bench = try bench(config: "")

        #expect(bench.admin(.get, "/audit_logs").text == "[]\n")
        let told = bench.journal.filter { $0.event == "audit log" }
        #expect(told.count == 3)
        #expect(
            told.last?.explanation
                == "Recorded login_success of the user \(Ada.id) (\(Ada.address)), flow_id f, login_method pwd."
        )
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `with console output off the journal says nothing`() throws {
        let bench = try bench(
            config:
                "\"audit_log\": {\"console_output\": {\"enabled\": false}, \"storage\": {\"enabled\": true}}")

        #expect(!bench.journal.contains { $0.event == "audit log" })
        #expect(bench.admin(.get, "/audit_logs").headers["X-Total-Count"] == "3")
    }

    @Test func `the log is bounded`() throws {
        let bench = try bench()
        let request = Request(.get, "/")
        let entry = AuditEntry(
            id: "", type: .userCreated, error: nil, requestID: request.id, sourceAddress: "::1",
            userAgent: "", userID: nil, address: nil, details: [:], createdAt: bench.clock.now)
        try bench.world.database.write { db in
            for number in 1...10_003 { try db.insert(entry.numbered(number)) }
        }

        #expect(bench.admin(.get, "/audit_logs").headers["X-Total-Count"] == "10000")
        #expect(bench.admin(.get, "/audit_logs?type=login_success").text == "[]\n")
    }
}

extension AuditEntry {
    fileprivate func numbered(_ number: Int) -> AuditEntry {
        AuditEntry(
            id: "\(number)", type: type, error: error, requestID: requestID, sourceAddress: sourceAddress,
            userAgent: userAgent, userID: userID, address: address, details: details, createdAt: createdAt)
    }
}
