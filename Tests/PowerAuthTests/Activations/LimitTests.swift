import Essentials
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What a world keeps at most: the oldest go.
struct LimitTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    @Test func `the history of activations keeps its newest entries`() throws {
        let now = bench.bench.clock.now
        let kept = try bench.bench.world.database.write { db in
            for number in 0...HistoryEntry.limit {
                try db.insert(
                    HistoryEntry(activation: "a", state: .active, reason: "\(number)", at: now))
            }
            return try db.all(HistoryEntry.self)
        }
        #expect(kept.count == 10_000)
        #expect(kept.first?.reason == "1" && kept.last?.reason == "10000")
    }

    @Test func `the audit log keeps its newest records`() throws {
        let (phone, id) = try bench.active()
        let now = bench.bench.clock.now
        try bench.bench.world.database.write { db in
            for number in 1...AuditRecord.limit {
                try db.insert(
                    AuditRecord(
                        activation: id, user: "ada", application: "bank", type: "\(number)", data: [:],
                        at: now))
            }
        }
        try phone.validate(with: .pin(OfficeBench.pin))
        let kept = try bench.bench.world.database.read { try $0.all(AuditRecord.self) }
        #expect(kept.count == 10_000)
        #expect(kept.first?.type == "2" && kept.last?.type == "signature_ok")
    }

    private func callback(_ number: Int, isEnabled: Bool) -> RegisteredCallback {
        RegisteredCallback(
            id: "\(number)", application: "bank", name: "\(number)", kind: .registration,
            url: "http://127.0.0.1/", isEnabled: isEnabled)
    }

    @Test func `removed callbacks are forgotten with their events, those in use are not`() throws {
        let now = bench.bench.clock.now
        let (callbacks, told) = try bench.bench.world.database.write { db in
            try db.insert(callback(-1, isEnabled: true))
            for number in 0..<RegisteredCallback.removedLimit {
                try db.insert(callback(number, isEnabled: false))
            }
            for id in ["-1", "0", "1"] {
                try db.insert(
                    CallbackEvent(
                        id: "event " + id, callback: id, body: [:], state: .completed, createdAt: now,
                        changedAt: now))
            }
            try db.insert(callback(1000, isEnabled: true))
            try callback(1000, isEnabled: false).store(in: db)
            return (try db.all(RegisteredCallback.self), try db.all(CallbackEvent.self))
        }
        #expect(callbacks.count == 1001)
        #expect(callbacks.prefix(2).map(\.id) == ["-1", "1"] && callbacks.last?.id == "1000")
        #expect(told.map(\.callback) == ["-1", "1"])
    }
}
