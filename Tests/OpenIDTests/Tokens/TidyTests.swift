import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// What is forgotten so that no client can fill the memory.
struct TidyTests {
    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func machineToken() -> String? {
        bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")]).fields["access_token"]
    }

    /// As if so many tokens had been made after the newest.
    private func skip(to row: Int) throws {
        try bench.world.database.write { db in
            try db.execute(
                """
                UPDATE openid_access_token SET rowid = \(row)
                WHERE rowid = (SELECT max(rowid) FROM openid_access_token)
                """)
        }
    }

    @Test func `of the tokens that clients got for themselves the newest ten thousand are kept`() throws {
        let user = try bench.loggedIn()["access_token"]
        let (old, late) = (machineToken(), machineToken())
        try skip(to: 10_751)
        let newest = machineToken()

        #expect(!bench.isActive(old))
        #expect(bench.isActive(late))
        #expect(bench.isActive(newest))
        #expect(bench.isActive(user))
    }

    @Test func `of all access tokens the newest fifty thousand are kept`() throws {
        let (old, late) = (
            try bench.loggedIn("old")["access_token"], try bench.loggedIn("late")["access_token"]
        )
        try skip(to: 51_199)
        #expect(bench.isActive(old))
        let newest = try bench.loggedIn("newest")["access_token"]

        #expect(!bench.isActive(old))
        #expect(bench.isActive(late))
        #expect(bench.isActive(newest))
    }

    @Test func `of all logins the newest twenty thousand are kept`() throws {
        let (old, late) = (try bench.loggedIn("old"), try bench.loggedIn("late"))
        try bench.world.database.write { db in
            try db.execute("UPDATE openid_grant SET rowid = 20001 WHERE id = 'grant-late'")
        }
        try skip(to: 511)
        _ = machineToken()

        #expect(!bench.isActive(old["access_token"]))
        #expect(!bench.isActive(old["refresh_token"]))
        #expect(bench.isActive(late["refresh_token"]))
    }

    @Test func `all tokens of a client for the same scope grow from one grant`() throws {
        for _ in 1...5 { _ = machineToken() }
        let server = bench.server
        let count = try bench.world.database.read {
            try server.grants.all(.init(clientID: "web"), in: $0).count
        }
        #expect(count == 1)
    }
}
