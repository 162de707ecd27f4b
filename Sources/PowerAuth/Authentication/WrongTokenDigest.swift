/// What is known of a MAC token whose digest is wrong.
struct WrongTokenDigest: Sendable, Equatable {
    let header: TokenHeader
    let secret: [UInt8]

    /// Which other digest it would be.
    var sentence: String {
        let expected =
            "The digest of the token \(header.tokenID) is wrong for version \(header.version.rawValue)"
        guard let nonce = try? Nonce(header.nonce) else { return expected + "." }
        let version = RequestVersion.ofTokens.last { fits($0, nonce, header.timestamp) }
        if let version {
            return expected + "; it would be right for \(version.rawValue)"
                + ([.three(.v30), .three(.v31)].contains(version)
                    ? ", which does not cover the version." : ", which covers the version.")
        }
        let seconds = String(header.timestamp.dropLast(3))
        if fits(header.version, nonce, seconds) {
            return expected + "; it would be right for a timestamp in seconds, expected milliseconds."
        }
        return expected
            + ": it was made with another secret, nonce or timestamp than the header has. A token does not count as an attempt."
    }

    /// What cannot be computed fits nothing.
    private func fits(_ version: RequestVersion, _ nonce: Nonce, _ timestamp: String) -> Bool {
        (try? version.isTokenDigest(header.digest, secret, nonce: nonce, timestamp: timestamp)) == true
    }
}
