import Essentials
import PlatformKit
import SQLite

/// How much of a bucket of tokens is left: every call takes one, and every interval fills it again completely.
struct RateLimit: Sendable, Equatable {
    struct Rule: Sendable, Equatable {
        /// Calls in one interval.
        let tokens: Int
        let intervalSeconds: Double
        /// How long a bucket is kept after its interval began. Buckets of all rules lie together, so it is the same for each of
        /// them: twice the longest interval.
        let keptSeconds: Double
    }

    let limit: Int
    let remaining: Int
    /// Seconds until the bucket is full again, rounded down.
    let resetSeconds: Int
    /// Whether this call found a token.
    let isGranted: Bool

    /// Takes a token at `now`. Intervals follow one another from the first call on.
    static func take(from bucket: inout RateLimitBucket, under rule: Rule, at now: Date) -> RateLimit {
        let elapsed = now.timeIntervalSince(bucket.since)
        if elapsed < 0 {
            // The world's clock was set back: the bucket begins anew.
            (bucket.since, bucket.used) = (now, 0)
        } else if elapsed >= rule.intervalSeconds {
            let intervals = (elapsed / rule.intervalSeconds).rounded(.down)
            bucket.since = bucket.since.addingTimeInterval(intervals * rule.intervalSeconds)
            bucket.used = 0
        }
        let isGranted = bucket.used < rule.tokens
        if isGranted { bucket.used.increment() }
        let wait = bucket.since.addingTimeInterval(rule.intervalSeconds).timeIntervalSince(now)
        return RateLimit(
            limit: rule.tokens, remaining: max(0, rule.tokens.subtracting(bucket.used)),
            resetSeconds: Int(saturating: wait),
            isGranted: isGranted)
    }

    /// `X-RateLimit-…`, and `Retry-After` for a call that was refused.
    var headers: [(name: String, value: String)] {
        let standing = [
            ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(remaining)),
            ("X-RateLimit-Reset", String(resetSeconds)),
        ]
        return isGranted ? standing : standing + [("Retry-After", String(resetSeconds))]
    }
}

/// What is kept of a bucket of tokens: one for each route, user and client address.
struct RateLimitBucket: Record {
    static let table = Table("hanko_rate_limit", key: "key")

    /// Route, user and client address.
    let key: String
    /// Begin of the present interval.
    var since: Date
    /// Tokens taken in it.
    var used: Int
}

extension Connection {
    /// Takes a token from the bucket `key`, whose standing says whether there was one; inside the transaction of what it limits.
    func takeToken(from key: String, under rule: RateLimit.Rule, at now: Date) throws -> RateLimit {
        var bucket =
            try first(RateLimitBucket.self, where: "key = \(key)")
            ?? RateLimitBucket(key: key, since: now, used: 0)
        let standing = RateLimit.take(from: &bucket, under: rule, at: now)
        try save(bucket)
        // Buckets that are full again say nothing.
        try delete(RateLimitBucket.self, where: "since < \(now - rule.keptSeconds)")
        return standing
    }
}

/// Which calls are counted together.
struct CallLimit: Sendable {
    let rule: RateLimit.Rule
    let key: String
    /// What is counted, in words.
    let calls: String
}

extension CallLimit {
    init(rule: RateLimit.Rule, route: String, userID: String, clientAddress: String) {
        self.init(
            rule: rule, key: "\(route)/\(userID)/\(clientAddress)",
            calls: "\(route) for the user \(userID) from \(clientAddress)")
    }
}
