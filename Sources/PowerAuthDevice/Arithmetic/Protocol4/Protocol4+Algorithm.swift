import PostQuantum

extension Protocol4 {
    /// What an app is configured with, by the names of SDK 2.x; its `DEFAULT` is the second.
    package enum Algorithm: String, Sendable, Codable, CaseIterable {
        case p384 = "EC_P384"
        case hybrid3 = "EC_P384_ML_L3"
        case hybrid5 = "EC_P384_ML_L5"

        var exchange: MLKEM? {
            switch self {
            case .p384: nil
            case .hybrid3: .mlkem768
            case .hybrid5: .mlkem1024
            }
        }

        /// Of the configuration's key by which the application signs beside P-384.
        var masterKeyNumber: UInt8? {
            switch self {
            case .p384: nil
            case .hybrid3: 3
            case .hybrid5: 4
            }
        }

        var signature: MLDSA? {
            switch self {
            case .p384: nil
            case .hybrid3: .mldsa65
            case .hybrid5: .mldsa87
            }
        }
    }
}
