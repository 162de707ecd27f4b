extension MasterSecret {
    /// How much larger the PIN of a refused proof is than the right one, for a developer to read.
    ///
    /// A wrong PIN moves `v` by so many times the same point. The multiple is found with about √limit steps of one point and as
    /// many of √limit points; where the client has a key pair, of what the pairing with its public key makes of that point.
    /// `nil` when more than the PIN is wrong, or the distance is not below the limit.
    ///
    /// - Parameter limit: ten to the power of the PIN's length, at most a million.
    func pinDistance(of proof: MPinProof, limit: Int) -> Int? {
        let step = proof.commitment.u + proof.challenge * proof.identity.point
        guard !step.isInfinity else { return nil }
        let (expected, limit) = (sum * proof.multiplicand, min(max(limit, 0), 1_000_000))
        guard let publicKey = proof.identity.publicKey else {
            return DistanceSearch(step: step, limit: limit).steps(from: proof.v + expected)
        }
        guard let step = Pairing.value([(step, publicKey)]),
            let moved = Pairing.value([(proof.v, publicKey), (expected, .generator)])
        else { return nil }
        return DistanceSearch(step: step, limit: limit).steps(from: moved)
    }
}
