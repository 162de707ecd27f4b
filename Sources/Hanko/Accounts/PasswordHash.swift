import Crypto
import Essentials

/// A password as it is kept: PBKDF2 with HMAC-SHA-256, `$pbkdf2-sha256$ITERATIONS$SALT$HASH`, the last two in base64url.
///
/// The original uses bcrypt, which OpenSSL does not have. The count is low on purpose: these passwords protect nothing, and
/// every login of a test would wait for it.
///
/// Source: RFC 8018 §5.2.
struct PasswordHash: Sendable, Equatable {
    static let iterations = 4096
    /// Bytes of UTF-8; more are refused, as bcrypt would cut them off.
    static let maxBytes = 72

    let text: String

    /// - Parameter salt: 16 random bytes.
    init(_ password: String, salt: [UInt8]) throws {
        let hash = try Self.derive(password, salt: salt, iterations: Self.iterations)
        text = "$pbkdf2-sha256$\(Self.iterations)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// Nil for a text of another form.
    init?(text: String) {
        guard Self.parts(of: text) != nil else { return nil }
        self.text = text
    }

    func matches(_ password: String) throws -> Bool {
        guard let (iterations, salt, hash) = Self.parts(of: text) else { return false }
        return constantTimeEqual(hash, try Self.derive(password, salt: salt, iterations: iterations))
    }

    private static func parts(of text: String) -> (iterations: Int, salt: [UInt8], hash: [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "pbkdf2-sha256",
            let iterations = Int(parts[2]), 1...1_000_000 ~= iterations,
            let salt = Base64URL.decode(parts[3]), let hash = Base64URL.decode(parts[4]), hash.count == 32
        else { return nil }
        return (iterations, salt, hash)
    }

    private static func derive(_ password: String, salt: [UInt8], iterations: Int) throws -> [UInt8] {
        try KeyDerivation.pbkdf2(
            .sha256, password: Array(password.utf8), salt: salt, iterations: iterations, count: 32)
    }
}
