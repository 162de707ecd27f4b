import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// What a browser can leave behind has an end.
@Suite struct FloodTests {
    private func count(_ table: SQL, _ bench: TestBench<MountedServer>) throws -> Int? {
        try bench.world.database.read { try $0.value(Int.self, "SELECT count(*) FROM \(fragment: table)") }
    }

    @Test func `codes that nobody redeems leave twenty thousand grants at most`() throws {
        let bench = try Cast.bench()
        let browser = Browser(bench)
        _ = browser.authorize([:])
        _ = browser.authorize([:])
        // As if many had come before the second.
        try bench.world.database.write { db in
            try db.execute("UPDATE openid_grant SET rowid = 20001 WHERE rowid = 2")
            try db.execute("UPDATE openid_code SET rowid = 511 WHERE rowid = 2")
        }

        _ = browser.authorize([:])

        #expect(try count("openid_grant", bench) == 2)
        #expect(try count("openid_code", bench) == 2)
    }

    @Test func `ten thousand sessions are kept`() throws {
        let bench = try Cast.bench()
        _ = Browser(bench).authorize([:])
        _ = Browser(bench).authorize([:])
        try bench.world.database.write { db in
            try db.execute("UPDATE openid_session SET rowid = 10000 WHERE rowid = 2")
        }

        _ = Browser(bench).authorize([:])

        #expect(try count("openid_session", bench) == 2)
    }
}
