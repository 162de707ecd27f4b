import HTTP

/// Which pages may call a platform, as it says itself; found out when it is mounted, so that no request has to ask what it can say.
struct OriginRules<P: Platform>: Sendable {
    let policy: @Sendable (P, Request) throws -> CrossOriginPolicy
}
