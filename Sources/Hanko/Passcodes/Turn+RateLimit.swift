import Essentials
import PlatformKit
import SQLite

extension Turn {
    /// Counts the call. What `body` refuses tells the standing of the bucket, and does not give the token back.
    ///
    /// - Parameter limit: nil where limits are off.
    func limited<Value>(by limit: CallLimit?, _ body: (RateLimit?) throws -> Value) throws -> Value {
        guard let limit else { return try body(nil) }
        let standing = try db.takeToken(from: limit.key, under: limit.rule, at: now)
        do {
            guard standing.isGranted else { throw HankoRefusal.rateLimited(standing, calls: limit.calls) }
            return try body(standing)
        } catch let refusal as HankoRefusal {
            throw kept(standing.isGranted ? HankoRefusal.limited(standing, refusal) : refusal) {
                _ = try $0.db.takeToken(from: limit.key, under: limit.rule, at: $0.now)
            }
        }
    }
}
