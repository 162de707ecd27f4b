import PostQuantum

extension V4 {
    /// The algorithms of an activation, by the name in requests. Upper and lower case are different.
    enum Suite: String, Codable, Sendable, CaseIterable {
        case p384 = "EC_P384"
        case p384WithMLKEM768 = "EC_P384_ML_L3"
        case p384WithMLKEM1024 = "EC_P384_ML_L5"

        /// The second key encapsulation; the first is that over P-384.
        var encapsulation: MLKEM? {
            switch self {
            case .p384: nil
            case .p384WithMLKEM768: .mlkem768
            case .p384WithMLKEM1024: .mlkem1024
            }
        }

        /// The second signature; the first is ECDSA over P-384.
        var signature: MLDSA? {
            switch self {
            case .p384: nil
            case .p384WithMLKEM768: .mldsa65
            case .p384WithMLKEM1024: .mldsa87
            }
        }
    }
}
