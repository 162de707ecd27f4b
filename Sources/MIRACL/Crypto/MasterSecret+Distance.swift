extension MasterSecret {
    /// How much larger the PIN of a refused proof is than the right one, for a developer to read.
    ///
    /// A wrong PIN moves `v` by so many times the same point. The multiple is found with about √limit steps of one point and as
    /// many of √limit points. `nil` when more than the PIN is wrong, the distance is not below the limit, or the identity has a
    /// key pair, where the point is not known.
    ///
    /// - Parameter limit: ten to the power of the PIN's length, at most a million.
    func pinDistance(of proof: MPinProof, limit: Int) -> Int? {
        guard proof.identity.publicKey == nil else { return nil }
        let step = proof.commitment.u + proof.challenge * proof.identity.point
        guard !step.isInfinity else { return nil }
        let moved = proof.v + sum * proof.multiplicand
        return DistanceSearch(step: step, limit: min(max(limit, 0), 1_000_000)).steps(from: moved)
    }
}
