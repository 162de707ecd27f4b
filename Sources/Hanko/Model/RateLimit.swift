import Essentials

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

    /// What is kept of a bucket.
    struct Bucket: Sendable, Equatable {
        /// Begin of the present interval.
        var since: Date
        /// Tokens taken in it.
        var used: Int
    }

    let limit: Int
    let remaining: Int
    /// Seconds until the bucket is full again, rounded down.
    let resetSeconds: Int
    /// Whether this call found a token.
    let isGranted: Bool

    /// Takes a token at `now`. Intervals follow one another from the first call on.
    static func take(from bucket: Bucket?, under rule: Rule, at now: Date) -> (RateLimit, Bucket) {
        var bucket = bucket ?? Bucket(since: now, used: 0)
        let elapsed = now.timeIntervalSince(bucket.since)
        if elapsed < 0 {
            // The world's clock was set back: the bucket begins anew.
            bucket = Bucket(since: now, used: 0)
        } else if elapsed >= rule.intervalSeconds {
            let intervals = (elapsed / rule.intervalSeconds).rounded(.down)
            bucket = Bucket(since: bucket.since.addingTimeInterval(intervals * rule.intervalSeconds), used: 0)
        }
        let isGranted = bucket.used < rule.tokens
        if isGranted { bucket.used += 1 }
        let wait = bucket.since.addingTimeInterval(rule.intervalSeconds).timeIntervalSince(now)
        let standing = RateLimit(
            limit: rule.tokens, remaining: max(0, rule.tokens - bucket.used), resetSeconds: Int(wait),
            isGranted: isGranted)
        return (standing, bucket)
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
