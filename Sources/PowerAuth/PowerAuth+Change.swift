import Essentials
import PlatformKit

extension PowerAuth {
    /// One turn. Operations whose time is up expire before it, and stay so when it is refused.
    func change<Value: Sendable>(_ body: (Turn) throws -> Value) throws -> Value {
        try world.change { turn in
            let areAnyOver = try operations.expireOverdue(in: turn)
            do {
                return try body(turn)
            } catch let refusal as any Refusal where areAnyOver {
                throw turn.kept(refusal) { try operations.expireOverdue(in: $0) }
            }
        }
    }

    /// For those who only read: has expiry stored and told once as soon as it is seen, which the published server leaves to a job
    /// that runs every five seconds.
    func settleExpiry(of found: [Operation], at now: Date) throws {
        let isDue = found.contains { $0.state == .pending && $0.state(at: now) == .expired }
        if isDue { try change { _ in } }
    }
}

extension Turn {
    /// Does `work`, and `body` after it. A refusal of `body` takes back everything but `work`, which is done anew: it works on values
    /// that were read before it.
    func lasting<Value>(
        _ work: @escaping (Turn) throws -> Void, then body: () throws -> Value
    ) throws -> Value {
        try work(self)
        do {
            return try body()
        } catch let refusal as any Refusal {
            throw kept(refusal, work)
        }
    }
}
