import Crypto
import Essentials
import PlatformKit
import SQLite

/// The server's OpenPGP keys as the fixtures bring them: member `pgp`.
struct ServerKeyFixture: Codable, Sendable, Equatable {
    static let setting = Setting<ServerKeyFixture>("onegini.pgp")

    /// Part of the key: another time makes another fingerprint.
    var createdAt: Date
    /// RSA private keys in PEM (PKCS #8), line by line.
    var primary: [String]
    var encryption: [String]

    enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
        case primary, encryption
    }

    func key() throws -> OpenPGPServerKey {
        try OpenPGPServerKey(
            primary: PrivateKey(pem: primary.joined(separator: "\n") + "\n"),
            encryption: PrivateKey(pem: encryption.joined(separator: "\n") + "\n"), createdAt: createdAt)
    }
}

/// What the world has of one; the memo keeps no nil.
private struct SharedKey: Sendable {
    let key: OpenPGPServerKey?
}

extension Onegini {
    /// The key that all enrollments share, read once; nil in a world whose fixtures bring none.
    func serverKey() throws -> OpenPGPServerKey? {
        try services.memo.value("onegini.pgp") {
            let fixture = try database.read { db in
                try ServerKeyFixture.setting.value(in: db)
            }
            return SharedKey(key: try fixture?.key())
        }.key
    }

    /// The server's key of an enrollment, as JSON of ``ServerKeyFixture``; the world's one for nil.
    func serverKey(of enrollment: Enrollment) throws -> OpenPGPServerKey? {
        guard let text = enrollment.serverKey else { return try serverKey() }
        return try JSONText.decode(ServerKeyFixture.self, text).key()
    }
}

extension ServerKeyFixture {
    /// New keys, for one enrollment.
    static func generate(at now: Date) throws -> ServerKeyFixture {
        ServerKeyFixture(
            // In the past of every device: GnuPG does not use keys from the future.
            createdAt: now.addingTimeInterval(-10), primary: try lines(.generate(.rsa(bits: 2048))),
            encryption: try lines(.generate(.rsa(bits: 2048))))
    }

    private static func lines(_ key: PrivateKey) throws -> [String] {
        try key.pem().split(separator: "\n").map(String.init)
    }
}
