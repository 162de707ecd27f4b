extension QRCode {
    /// How much of a symbol may be unreadable and its content still be recovered: a share of its code words
    /// (ISO/IEC 18004 §7.5.1).
    package enum Correction: String, Sendable, CaseIterable {
        /// L, about 7 %.
        case low = "L"
        /// M, about 15 %.
        case medium = "M"
        /// Q, about 25 %.
        case quartile = "Q"
        /// H, about 30 %.
        case high = "H"

        /// The most bytes that the largest symbol, version 40, holds in byte mode (ISO/IEC 18004, table 7).
        package var byteLimit: Int {
            switch self {
            case .low: 2953
            case .medium: 2331
            case .quartile: 1663
            case .high: 1273
            }
        }
    }
}
