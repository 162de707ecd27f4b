import Crypto
import JOSE
import SQLite

extension KeyStore {
    /// Named streams of chance for the ids of new keys.
    private static let purpose = "kit.key"

    /// The keys, kept until other fixtures come or they rotate: asking the database costs as much as a signature by ES256.
    func ring(_ entropy: Entropy, _ memo: Memo) -> KeyRing {
        KeyRing(
            signingKey: { owner, algorithm in
                try memo.value(owner.memo("signing.\(algorithm.name)")) { try signing(owner, algorithm) }
            },
            publishedKeys: { owner in
                try memo.value(owner.memo("published")) { try keys(of: owner) }
            },
            rotateKeys: { owner, algorithm in
                try memo.changing(owner.platform + ".") { try rotate(owner, algorithm, entropy) }
            })
    }

    private func rotate(
        _ owner: KeyOwner, _ algorithm: String?, _ entropy: Entropy
    ) throws -> [KeyRotation] {
        let names = try database.read { db in
            try Set(
                db.all(
                    KeyFixture.self,
                    "SELECT * FROM kit_key WHERE platform = \(owner.platform) AND tenant IS \(owner.tenant)"
                ).map(\.algorithm))
        }
        if let algorithm, !names.contains(algorithm) {
            throw KeyMissing(owner: owner, algorithm: algorithm)
        }
        guard !names.isEmpty else { throw KeyMissing(owner: owner, algorithm: "signing") }
        return try (algorithm.map { [$0] } ?? names.sorted()).map { name in
            try rotation(of: name, owner, entropy)
        }
    }

    private func rotation(
        of algorithm: String, _ owner: KeyOwner, _ entropy: Entropy
    ) throws -> KeyRotation {
        // Made before the transaction: an RSA key takes a fifth of a second.
        var next = try Self.make(owner, algorithm, entropy)
        next.state = .next
        return try database.write { [next] db in
            let mine: SQL = """
                platform = \(owner.platform) AND tenant IS \(owner.tenant) AND algorithm = \(algorithm)
                """
            let keys = try db.all(
                KeyFixture.self, "SELECT * FROM kit_key WHERE \(fragment: mine) ORDER BY position")
            let previous = keys.last { $0.state == nil }
            // Where no key waits, one signs that nobody could fetch before.
            let current = try keys.first { $0.state == .next } ?? Self.make(owner, algorithm, entropy)
            try db.execute("DELETE FROM kit_key WHERE \(fragment: mine)")
            let last = try db.value(Int.self, "SELECT coalesce(max(position), -1) FROM kit_key") ?? -1
            for (index, key) in [previous, current.signing, next].compactMap({ $0 }).enumerated() {
                try Self.insert(key, at: last + 1 + index, into: db)
            }
            return KeyRotation(
                algorithm: algorithm, previous: previous?.kid, current: current.kid, next: next.kid)
        }
    }

    private static func make(_ owner: KeyOwner, _ algorithm: String, _ entropy: Entropy) throws -> KeyFixture
    {
        guard let named = JWSAlgorithm(name: algorithm), case .keyPair(let signature) = named else {
            throw AlgorithmUnknown(name: algorithm)
        }
        let key = try signature.kind == .rsa(bits: 2048) ? RSAKeys.shared.key() : .generate(signature.kind)
        return KeyFixture(
            kid: entropy.uuid(for: purpose), algorithm: algorithm, platform: owner.platform,
            tenant: owner.tenant, pem: try key.pem().split(separator: "\n").map(String.init))
    }
}

extension KeyFixture {
    /// The same key, now signing.
    fileprivate var signing: KeyFixture {
        var key = self
        key.state = nil
        return key
    }
}

extension SignatureAlgorithm {
    /// The kind of key that is made for it.
    fileprivate var kind: KeyKind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(bits: 2048)
        case .es256: .ec(.p256)
        case .es384: .ec(.p384)
        case .es512: .ec(.p521)
        case .eddsa: .ed25519
        }
    }
}
