import Essentials
import PlatformKit
import TestKit
import Testing

struct SettingTests {
    struct Limits: Codable, Equatable {
        var tries: Int
    }

    private static let limits = Setting<Limits>("acme.limits")

    @Test func `a setting is kept under its name until it is taken away`() throws {
        let world = try TestBench(Acme.self).world
        let values = try world.change { turn in
            let before = try Self.limits.value(in: turn.db)
            try Self.limits.set(Limits(tries: 3), in: turn.db)
            try Self.limits.set(Limits(tries: 5), in: turn.db)
            let kept = try Self.limits.value(in: turn.db)
            try Self.limits.set(nil, in: turn.db)
            return [before, kept, try Self.limits.value(in: turn.db)]
        }
        #expect(values == [nil, Limits(tries: 5), nil])
    }
}
