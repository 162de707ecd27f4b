/// The secrets of the two trust authorities, both of which the emulator is.
struct MasterSecret: Sendable {
    enum Share: Sendable, CaseIterable {
        case first, second
    }

    let first: Scalar
    let second: Scalar
    let sum: Scalar

    init(first: Scalar, second: Scalar) throws(MPinError) {
        sum = first + second
        guard !sum.isZero else { throw .mastersCancel }
        (self.first, self.second) = (first, second)
    }

    /// What one authority hands out to a registered client, which adds up both.
    func clientSecret(_ share: Share, for identity: MPinIdentity) -> G1Point {
        self[share] * identity.point
    }

    /// What one authority adds to a time permit.
    ///
    /// - Parameter day: days since 1970-01-01 UTC.
    func timePermit(_ share: Share, for identity: MPinIdentity, day: UInt32) -> G1Point {
        self[share] * identity.permitPoint(day: day)
    }

    private subscript(share: Share) -> Scalar {
        switch share {
        case .first: first
        case .second: second
        }
    }
}

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
