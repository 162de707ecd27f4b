import Crypto

/// What a client sends before it sees the challenge: its random number times the identity's point, without telling the number.
struct Commitment: Sendable, Equatable {
    /// The same for the sum of the identity's point and that of the day.
    struct Permitted: Sendable, Equatable {
        let ut: G1Point
        /// Days since 1970-01-01 UTC.
        let day: UInt32
    }

    let u: G1Point
    /// `nil` from a client that uses no time permit.
    let permitted: Permitted?

    init(u: G1Point, permitted: Permitted? = nil) {
        (self.u, self.permitted) = (u, permitted)
    }

    /// The point that counts in the proof.
    var bound: G1Point { permitted?.ut ?? u }

    /// The challenge that takes the place of the server's in a proof of one pass, which is also how documents are signed.
    ///
    /// - Parameter timestamp: seconds since 1970.
    /// - Parameter message: the document's hash as bytes, of any length.
    func challenge(timestamp: UInt32, message: [UInt8]) -> Scalar {
        Scalar(reducing: Digest.sha256(bigEndian(timestamp) + bound.bytes + message))
    }
}
