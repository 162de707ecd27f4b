import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import SampleApp

/// What the sample app keeps at most: the oldest go.
struct LimitTests {
    @Test func `logins of the mobile app that nobody finishes do not pile up`() throws {
        let bench = try TestBench(SampleApp.self)
        let store = MobileLoginStore(database: bench.world.database)
        for number in 0...MobileLoginStore.limit {
            try store.begin(
                MobileLogin(
                    operationID: "\(number)", session: "s", userID: "ada", registrationID: "r",
                    startedAt: bench.clock.now, usedAt: nil))
        }
        let kept = try bench.world.database.read { try MobileLoginStore.logins(in: $0) }
        #expect(kept.count == 10_000)
        #expect(kept.first?.operationID == "1" && kept.last?.operationID == "10000")
    }

    @Test func `nor do logins and sessions of the portal`() throws {
        let bench = try TestBench(SampleApp.self)
        let store = LoginStore(database: bench.world.database)
        let now = bench.clock.now
        for number in 0...LoginStore.limit {
            try store.begin(
                Login(
                    id: "\(number)", browser: "b", transactionID: "\(number)", otp: "o", state: .waiting,
                    expiresAt: now + 60), at: now)
            try store.begin(Session(id: "\(number)", user: "ada", expiresAt: now + 60), at: now)
        }
        let (logins, sessions) = try bench.world.database.read {
            (try LoginStore.logins(in: $0), try LoginStore.sessions(in: $0))
        }
        #expect(logins.count == 10_000 && logins.first?.id == "1")
        #expect(sessions.count == 10_000 && sessions.first?.id == "1")
    }
}
