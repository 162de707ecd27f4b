import Crypto
import Essentials

/// A client's secret of which only a hash is known: `$pbkdf2-sha1$i=10000$salt$hash`, salt and hash in base64.
///
/// Source: Token Server documentation, “Migration of web clients with hashed secrets”; the PHC string format.
struct HashedSecret: Sendable, Equatable {
    /// Rounds: more would make every login wait.
    static let rounds = 1...500_000
    /// Formats that the vendor reads and this server does not.
    private static let others: Set<String> = ["bcrypt", "argon2id"]

    let rounds: Int
    let salt: [UInt8]
    let hash: [UInt8]

    enum Fault: Error, Equatable {
        /// The name of the format.
        case notEmulated(String)
        /// What was expected and what came, for the middle of a sentence.
        case malformed(String)

        var words: String {
            switch self {
            case .notEmulated(let name):
                "is hashed with \(name), which is not emulated: use pbkdf2-sha1, or send client_secret as it is"
            case .malformed(let reason): reason
            }
        }
    }

    /// - Throws: ``Fault``.
    init(_ text: String) throws(Fault) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts[0].isEmpty else {
            throw .malformed("must be of the form $pbkdf2-sha1$i=10000$salt$hash")
        }
        if Self.others.contains(parts[1]) { throw .notEmulated(parts[1]) }
        guard parts[1] == "pbkdf2-sha1" else {
            throw .malformed("must begin with $pbkdf2-sha1$, not $\(parts[1].prefix(40))$")
        }
        guard parts.count == 5, let rounds = Self.rounds(parts[2]) else {
            throw .malformed(
                "must be of the form $pbkdf2-sha1$i=10000$salt$hash with i from 1 to \(Self.rounds.upperBound)"
            )
        }
        guard let salt = Self.bytes(parts[3]), let hash = Self.bytes(parts[4]), !hash.isEmpty,
            hash.count <= 64
        else { throw .malformed("must have salt and hash in base64, the hash of 1 to 64 bytes") }
        (self.rounds, self.salt, self.hash) = (rounds, salt, hash)
    }

    func matches(_ secret: String) throws -> Bool {
        let derived = try KeyDerivation.pbkdf2(
            .sha1, password: Array(secret.utf8), salt: salt, iterations: rounds, count: hash.count)
        return constantTimeEqual(derived, hash)
    }

    private static func rounds(_ text: String) -> Int? {
        for parameter in text.split(separator: ",") where parameter.hasPrefix("i=") {
            return Int(parameter.dropFirst(2)).flatMap { rounds.contains($0) ? $0 : nil }
        }
        return nil
    }

    /// With or without padding: the format wants none, the vendor's examples have it.
    private static func bytes(_ text: String) -> [UInt8]? {
        let bare = text.prefix { $0 != "=" }
        let padded = bare + String(repeating: "=", count: (4 - bare.count % 4) % 4)
        return Data(base64Encoded: String(padded)).map { [UInt8]($0) }
    }
}
