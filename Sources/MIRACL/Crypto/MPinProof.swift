/// A whole proof, of one pass or two, to be verified.
struct MPinProof: Sendable {
    let identity: MPinIdentity
    let commitment: Commitment
    /// The server's, or in one pass ``Commitment/challenge(timestamp:message:)``.
    let challenge: Scalar
    let v: G1Point

    /// The identity's point, and that of the day if a time permit is used.
    private var point: G1Point {
        guard let permitted = commitment.permitted else { return identity.point }
        return identity.point + identity.permitPoint(day: permitted.day)
    }

    /// What the client has to have multiplied by the master secret to know `v`.
    var multiplicand: G1Point { commitment.bound + challenge * point }
}
