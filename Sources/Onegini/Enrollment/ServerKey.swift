import Crypto
import Essentials
import PlatformKit
import SQLite

/// OpenPGP keys of the server: those that all enrollments share, the member `pgp` of the fixtures, or those of one.
struct ServerKey: Codable, Sendable, Equatable {
    static let setting = Setting<ServerKey>("onegini.pgp")

    /// Part of the key: another time makes another fingerprint.
    var createdAt: Date
    /// RSA private keys in PEM (PKCS #8), line by line.
    var primary: [String]
    var encryption: [String]

    enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
        case primary, encryption
    }

    /// - Throws: `FixtureProblem` for keys of a fixture file that nobody could enroll with.
    func check() throws {
        for (name, lines) in [("primary", primary), ("encryption", encryption)] {
            let key: PrivateKey
            do {
                key = try PrivateKey(pem: lines.joined(separator: "\n") + "\n")
            } catch {
                throw FixtureProblem(
                    at: [name],
                    "expected the lines of an RSA private key in PEM, found what is none: \(error)")
            }
            guard case .rsa(let bits) = key.kind, bits >= 2048 else {
                throw FixtureProblem(at: [name], "expected an RSA key of at least 2048 bits, found another")
            }
        }
        do {
            _ = try key()
        } catch {
            throw FixtureProblem(at: ["created_at"], "these make no OpenPGP key: \(error)")
        }
    }

    func key() throws -> OpenPGPServerKey {
        try OpenPGPServerKey(
            primary: PrivateKey(pem: primary.joined(separator: "\n") + "\n"),
            encryption: PrivateKey(pem: encryption.joined(separator: "\n") + "\n"), createdAt: createdAt)
    }
}

extension ServerKey {
    /// New keys, for one enrollment.
    static func generate(at now: Date) throws -> ServerKey {
        ServerKey(
            // In the past of every device: GnuPG does not use keys from the future.
            createdAt: now.addingTimeInterval(-10), primary: try lines(RSAKeys.shared.key()),
            encryption: try lines(RSAKeys.shared.key()))
    }

    private static func lines(_ key: PrivateKey) throws -> [String] {
        try key.pem().split(separator: "\n").map(String.init)
    }
}
