/// When a signature counter that does not grow is a reason to refuse. Source: Web Authentication Level 3 §7.2 step 23 leaves that open.
package enum SignCountPolicy: String, Sendable, Codable {
    /// The new one must be greater, unless both are zero.
    case strict
    /// The new one must be greater, unless one of both is zero: some products do so.
    case allowsZero

    func accepts(_ new: UInt32, after stored: UInt32) -> Bool {
        switch self {
        case .strict: new > stored || (new == 0 && stored == 0)
        case .allowsZero: new > stored || new == 0
        }
    }
}
