import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// A client is known without asking the database each time, and never as it was before a change.
struct KnownClientTests {
    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func status() -> Status {
        bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")], as: "machine").status
    }

    @Test func `a client's old secret is refused as soon as it has another`() throws {
        #expect(status() == .ok)

        let server = bench.server
        try bench.world.database.write { db in
            var client = try #require(try server.clients.find("machine", in: db))
            client.secret = "another-secret"
            try server.clients.update(client, in: db)
        }
        #expect(status() == .unauthorized)
    }

    @Test func `a client that was removed is refused at once`() throws {
        #expect(status() == .ok)

        let server = bench.server
        let now = bench.clock.now
        try bench.world.database.write { db in _ = try server.clients.remove("machine", at: now, in: db) }
        #expect(status() == .unauthorized)
    }
}
