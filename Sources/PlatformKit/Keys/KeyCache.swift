import Synchronization

/// Parsed keys, shared by all worlds: they mostly have the same ones, and reading one costs more than using it.
final class KeyCache: Sendable {
    /// More would be a sign of keys that are made without end; then reading them again is the lesser evil.
    private static let limit = 1_000

    private let keys = Mutex<[String: SigningKey]>([:])

    func key(_ fixture: KeyFixture) throws -> SigningKey {
        let name = fixture.kid + " " + fixture.pem.joined()
        if let kept = keys.withLock({ $0[name] }) { return kept }
        let key = try SigningKey(fixture)
        keys.withLock { keys in
            if keys.count >= Self.limit { keys.removeAll() }
            keys[name] = key
        }
        return key
    }
}
