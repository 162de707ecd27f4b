extension V4 {
    /// The keys of the factors of an activation, 32 bytes each. Those of knowledge and biometry are replaced by an exchange: until a code
    /// is made with the new key, the old one counts as well.
    struct FactorKeys: Sendable, Equatable {
        let possession: [UInt8]
        /// The current one first.
        let knowledge: [[UInt8]]
        /// The current one first; none while biometry is not enabled.
        let biometry: [[UInt8]]

        /// The keys by which a code of that type may be made, the current ones first; none where a factor has no key.
        func alternatives(_ type: SignatureType) -> [[[UInt8]]] {
            type.factors.reduce([[]]) { heads, factor in
                keys(of: factor).flatMap { key in heads.map { $0 + [key] } }
            }
        }

        private func keys(of factor: AuthenticationFactor) -> [[UInt8]] {
            switch factor {
            case .possession: [possession]
            case .knowledge: knowledge
            case .biometry: biometry
            }
        }
    }
}
