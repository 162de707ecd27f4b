extension MasterSecret {
    /// Whether the client that made the proof has the secret of its identity and knows the PIN.
    ///
    /// Without a key pair a pairing is not needed: who owns the master secret can compute the right `v`.
    func verifies(_ proof: MPinProof) -> Bool {
        let expected = sum * proof.multiplicand
        // Or else a proof would hold without any secret.
        guard !expected.isInfinity else { return false }
        guard let publicKey = proof.identity.publicKey else { return proof.v == -expected }
        return Pairing.productIsOne([(proof.v, publicKey), (expected, .generator)])
    }
}
