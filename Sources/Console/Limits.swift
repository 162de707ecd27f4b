/// How large the rules of a call may be.
enum FaultLimit {
    static let bytes = 1024 * 1024
}

/// How large the entry of one user may be.
enum UserLimit {
    static let bytes = 256 * 1024
}

/// How much software authenticators may take.
enum AuthenticatorLimit {
    /// Authenticators in a world.
    static let authenticators = 100
    /// Credentials in one authenticator, whose keys each ceremony reads.
    static let credentials = 50
    /// Bytes of a body: the options of a ceremony, with long lists of credentials.
    static let bytes = 256 * 1024
    /// Characters of a name, an origin, or any other text.
    static let text = 300
    /// Bytes of a challenge and of a user handle that are made up.
    static let binary = 1023
    /// Seconds until a call is given up that `neverSettles`.
    static let silence = 3600
}

/// How large fixtures may be that come over the wire.
enum FixtureLimit {
    static let bytes = 16 * 1024 * 1024
}

/// Bounds of what a call about upstreams brings.
enum UpstreamLimit {
    static let bytes = 512 * 1024
}
