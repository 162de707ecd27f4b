import Synchronization

/// Signatures of activation codes that were shown: ECDSA makes another one each time, and a picture that changes all the time
/// cannot be scanned in peace.
final class CodeSignatures: Sendable {
    private static let limit = 1000

    private struct Key: Hashable {
        let code: String
        /// The private key in PEM.
        let masterKey: String
    }

    private let kept = Mutex<[Key: String]>([:])

    /// - Parameter make: Base64; nil when there is nothing to sign.
    func signature(of code: String, masterKey: String, make: () throws -> String?) rethrows -> String? {
        let key = Key(code: code, masterKey: masterKey)
        if let known = kept.withLock({ $0[key] }) { return known }
        guard let made = try make() else { return nil }
        return kept.withLock { kept in
            if kept.count >= Self.limit { kept = [:] }
            // Another thread may have been faster.
            if let known = kept[key] { return known }
            kept[key] = made
            return made
        }
    }
}
