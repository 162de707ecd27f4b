/// What is known of a MAC token whose digest is wrong.
struct WrongTokenDigest: Sendable, Equatable {
    let header: TokenHeader
    let secret: TokenSecret

    /// Which other digest it would be.
    var sentence: String {
        let expected =
            "The digest of the token \(header.tokenID) is wrong for version \(header.version.rawValue)"
        guard let nonce = try? Nonce(header.nonce) else { return expected + "." }
        let version = ProtocolVersion.allCases.last { version in
            version.mobileProtocol.isTokenDigest(
                header.digest, secret, nonce: nonce, timestamp: header.timestamp)
        }
        if let version {
            return expected + "; it would be right for \(version.rawValue)"
                + ([.v30, .v31].contains(version)
                    ? ", which does not cover the version." : ", which covers the version.")
        }
        let seconds = String(header.timestamp.dropLast(3))
        if header.version.mobileProtocol.isTokenDigest(
            header.digest, secret, nonce: nonce, timestamp: seconds)
        {
            return expected + "; it would be right for a timestamp in seconds, expected milliseconds."
        }
        return expected
            + ": it was made with another secret, nonce or timestamp than the header has. A token does not count as an attempt."
    }
}
