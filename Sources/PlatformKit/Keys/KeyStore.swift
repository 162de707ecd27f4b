import JOSE
package import SQLite

/// The signing keys of a world.
package struct KeyStore: Sendable {
    package static let migrations: [SQL] = [
        """
        CREATE TABLE kit_key (
            position INTEGER PRIMARY KEY, -- the greatest of an algorithm signs
            kid TEXT NOT NULL UNIQUE,
            algorithm TEXT NOT NULL,
            platform TEXT NOT NULL,
            pem TEXT NOT NULL -- PKCS #8
        ) STRICT
        """,
        // A key whose state is next is published and does not sign yet.
        "ALTER TABLE kit_key ADD COLUMN state TEXT CHECK (state IN ('next'))",
        // Of a platform with several tenants; without one the key serves those that have none of their own.
        "ALTER TABLE kit_key ADD COLUMN tenant TEXT",
    ]

    let database: Database
    let cache: KeyCache

    /// The owner's keys: those that sign first, then those that did, then the next ones. Of algorithms that a tenant has none of, the
    /// platform's.
    func keys(of owner: KeyOwner) throws -> [SigningKey] {
        let own = try rows(of: owner)
        let algorithms = Set(own.map(\.algorithm))
        let shared = owner.tenant == nil ? [] : try rows(of: owner.shared)
        return try (own + shared.filter { !algorithms.contains($0.algorithm) }).map(cache.key)
    }

    private func rows(of owner: KeyOwner) throws -> [KeyFixture] {
        try database.read { db in
            try db.all(
                KeyFixture.self,
                """
                SELECT * FROM kit_key WHERE platform = \(owner.platform) AND tenant IS \(owner.tenant)
                ORDER BY state IS NOT NULL, position DESC
                """)
        }
    }

    func signing(_ owner: KeyOwner, _ algorithm: JWSAlgorithm) throws -> SigningKey {
        let row = try database.read { db in
            try db.first(
                KeyFixture.self,
                """
                SELECT * FROM kit_key
                WHERE platform = \(owner.platform) AND algorithm = \(algorithm.name) AND state IS NULL
                    AND (tenant IS NULL OR tenant = \(owner.tenant))
                ORDER BY tenant IS NULL, position DESC LIMIT 1
                """)
        }
        guard let row else { throw KeyMissing(owner: owner, algorithm: algorithm.name) }
        return try cache.key(row)
    }

    /// - Parameter platforms: the names that a key can be for; nil for keys that are known to be sound: reading one costs a
    ///   millisecond, which the start of the program need not pay.
    static func load(_ keys: [KeyFixture], of platforms: [String]?, into db: Connection) throws {
        for (index, key) in keys.enumerated() {
            if let platforms { try check(key, of: platforms, at: index, after: keys[..<index]) }
            try insert(key, at: index, into: db)
        }
    }

    static func insert(_ key: KeyFixture, at position: Int, into db: Connection) throws {
        let pem = key.pem.joined(separator: "\n") + "\n"
        try db.execute(
            """
            INSERT INTO kit_key (position, kid, algorithm, platform, pem, state, tenant)
            VALUES (\(position), \(key.kid), \(key.algorithm), \(key.platform), \(pem),
                \(key.state?.rawValue), \(key.tenant))
            """)
    }

    private static func check(
        _ key: KeyFixture, of platforms: [String], at index: Int, after others: ArraySlice<KeyFixture>
    ) throws {
        guard !others.contains(where: { $0.kid == key.kid }) else {
            throw FixtureProblem(at: [String(index), "kid"], "the key id “\(key.kid)” appears twice")
        }
        guard platforms.contains(key.platform) else {
            throw FixtureProblem(
                at: [String(index), "for"],
                "expected one of \(platforms.sorted().joined(separator: ", ")), found “\(key.platform)”")
        }
        if key.state == .next,
            others.contains(where: {
                $0.state == .next && $0.owner == key.owner && $0.algorithm == key.algorithm
            })
        {
            throw FixtureProblem(
                at: [String(index), "state"],
                "\(key.owner.words) has a next key for \(key.algorithm) already, and one is all it can have")
        }
        do {
            _ = try SigningKey(key)
        } catch let error as AlgorithmUnknown {
            throw FixtureProblem(at: [String(index), "alg"], error.description)
        } catch {
            throw FixtureProblem(
                at: [String(index), "pem"], "expected a private key for \(key.algorithm): \(error)")
        }
    }

    static func export(from db: Connection) throws -> [KeyFixture] {
        try db.all(KeyFixture.self, "SELECT * FROM kit_key ORDER BY position")
    }
}

/// A platform was asked to sign and has no key to do it with.
package struct KeyMissing: Refusal {
    let owner: KeyOwner
    let algorithm: String

    package var explanation: String {
        "The fixtures bring no \(algorithm) key for \(owner.words); add one to the section “keys”."
    }
}

extension KeyOwner {
    /// `acme`, `the tenant “blue” of acme`.
    fileprivate var words: String {
        tenant.map { "the tenant “\($0.prefix(80))” of \(platform)" } ?? platform
    }
}

extension KeyFixture {
    var owner: KeyOwner { KeyOwner(platform: platform, tenant: tenant) }
}
