package import Essentials

/// The claims that say when a token is valid, in seconds since 1970-01-01 UTC. Source: RFC 7519 §4.1.4–4.1.6.
package struct TimeClaims: Codable, Sendable, Equatable {
    package var exp: Double?
    package var nbf: Double?
    package var iat: Double?

    package init(exp: Double? = nil, nbf: Double? = nil, iat: Double? = nil) {
        self.exp = exp
        self.nbf = nbf
        self.iat = iat
    }

    /// Claims that are absent are not asked for.
    ///
    /// - Throws: ``JOSEError/expired(secondsAgo:)`` at `exp` and after, ``JOSEError/notYetValid(seconds:)`` before
    ///   `nbf`, ``JOSEError/issuedInFuture(seconds:)`` before `iat`; each shifted by the leeway.
    package func check(at now: Date, leewaySeconds: Int = 0) throws {
        let (now, leeway) = (now.timeIntervalSince1970, Double(leewaySeconds))
        if let exp, now >= exp + leeway { throw JOSEError.expired(secondsAgo: Self.whole(now - exp)) }
        if let nbf, now < nbf - leeway { throw JOSEError.notYetValid(seconds: Self.whole(nbf - now)) }
        if let iat, now < iat - leeway { throw JOSEError.issuedInFuture(seconds: Self.whole(iat - now)) }
    }

    private static func whole(_ seconds: Double) -> Int { Int(saturating: seconds) }
}
