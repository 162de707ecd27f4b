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
        let app = SampleApp(bench.world)
        for number in 0...10_000 {
            try app.begin(
                MobileLogin(
                    operationID: "\(number)", session: "s", userID: "ada", registrationID: "r",
                    startedAt: bench.clock.now, usedAt: nil))
        }
        let kept = try bench.world.database.read { try $0.all(MobileLogin.self) }
        #expect(kept.count == 10_000)
        #expect(kept.first?.operationID == "1" && kept.last?.operationID == "10000")
    }

    @Test func `nor do logins and sessions of the portal`() throws {
        let bench = try TestBench(SampleApp.self)
        let now = bench.clock.now
        for number in 0...10_000 {
            try bench.world.change { turn in
                try turn.insert(
                    Login(
                        id: "\(number)", browser: "b", transactionID: "\(number)", otp: "o", state: .waiting,
                        expiresAt: now + 60))
                try turn.insert(Session(id: "\(number)", user: "ada", expiresAt: now + 60))
            }
        }
        let (logins, sessions) = try bench.world.database.read {
            (try $0.all(Login.self), try $0.all(Session.self))
        }
        #expect(logins.count == 10_000 && logins.first?.id == "1")
        #expect(sessions.count == 10_000 && sessions.first?.id == "1")
    }
}
