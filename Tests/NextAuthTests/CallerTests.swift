import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

/// Who may call the server API. Source: API description 2.2, `X-apikey` and `X-su`.
@Suite struct CallerTests {
    private let bench: TestBench<NextAuth>

    init() throws {
        bench = try TestBench(
            NextAuth.self,
            fixtures: """
                {"nextauth": {
                    "api_keys": [
                        {"key": "root", "role": "AAAA"}, {"key": "one", "role": "BBBB"}, {"key": "su", "role": "CCCC"}
                    ],
                    "grants": [
                        {"role": "AAAA", "permissions": ["root"]},
                        {"role": "CCCC", "permissions": ["setrid"]}
                    ]
                }}
                """)
    }

    private func caller(_ headers: Headers) throws -> Caller {
        try bench.world.database.read {
            try Request(.get, "/", headers: headers).caller(in: $0)
        }
    }

    @Test func `a key is asked for, and has to be known`() {
        #expect(throws: BackEndRefusal.keyMissing) { try caller([:]) }
        #expect(throws: BackEndRefusal.keyUnknown("other")) { try caller(["X-apikey": "other"]) }
    }

    @Test func `global root may do everything, a role without grants nothing`() throws {
        try caller(["X-apikey": "root"]).require(.users, on: "server")
        let other = try caller(["X-apikey": "one"])
        #expect(throws: BackEndRefusal.permissionMissing(.users, role: "BBBB")) {
            try other.require(.users, on: "server")
        }
    }

    @Test func `who has root or setrid globally acts as another role`() throws {
        #expect(try caller(["X-apikey": "root", "X-su": "BBBB"]).role == "BBBB")
        #expect(try caller(["X-apikey": "su", "X-su": "AAAA"]).role == "AAAA")
        #expect(throws: BackEndRefusal.impersonationForbidden(role: "BBBB")) {
            try caller(["X-apikey": "one", "X-su": "AAAA"])
        }
        #expect(throws: BackEndRefusal.roleUnknown("DDDD")) {
            try caller(["X-apikey": "root", "X-su": "DDDD"])
        }
    }

    @Test func `a grant on one server is none on another`() {
        let grants = [Grant(role: "r", server: "a", permissions: [.users])]
        #expect(grants.allow(.users, on: "a"))
        #expect(!grants.allow(.users, on: "b"))
        #expect(!grants.allow(.users, on: nil))
        #expect(!grants.allow(.accounts, on: "a"))
    }
}
