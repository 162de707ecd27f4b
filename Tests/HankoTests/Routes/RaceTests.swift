import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct RaceTests {
    @Test func `an address that is removed while a passcode for it is asked costs nobody a server error`()
        async throws
    {
        let bench = try TestBench.mobile(
            config: "\"rate_limiter\": {\"enabled\": false}, \"email\": {\"require_verification\": false},")
        let token = try bench.signIn(Ada.id)
        for round in 1...40 {
            let added = try bench.post(
                "/hanko/emails", ["address": "a\(round)@example.com"], headers: .bearer(token))
            let id = try #require(added.fields["id"])
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        try bench.post(
                            "/hanko/passcode/login/initialize", ["user_id": Ada.id, "email_id": id]
                        ).status
                    }
                }
                group.addTask { bench.delete("/hanko/emails/\(id)", headers: .bearer(token)).status }
                return try await group.reduce(into: [Status]()) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { [.ok, .badRequest, .noContent].contains($0) })
        }
        #expect(bench.reports.lines == [])
    }

    @Test func `no address is added for a user who is deleted at the same time`() async throws {
        let bench = try TestBench.mobile(config: "\"account\": {\"allow_deletion\": true}")
        let token = try bench.signIn(Ada.id)
        let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
            for number in 1...8 {
                group.addTask {
                    if number == 4 { return bench.delete("/hanko/user", headers: .bearer(token)).status }
                    return try bench.post(
                        "/hanko/emails", ["address": "a\(number)@example.com"], headers: .bearer(token)
                    ).status
                }
            }
            return try await group.reduce(into: [Status]()) { $0.append($1) }
        }

        #expect(statuses.allSatisfy { [.ok, .conflict, .noContent, .unauthorized].contains($0) })
        let late = try bench.post(
            "/hanko/emails", ["address": "late@example.com"], headers: .bearer(token))
        #expect(late.status == .unauthorized)
        #expect(try bench.world.database.read { try $0.email(address: "late@example.com") } == nil)
        #expect(bench.reports.lines == [])
    }
}
