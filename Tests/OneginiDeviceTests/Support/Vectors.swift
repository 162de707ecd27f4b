import Crypto
import Essentials
import Testing

/// Reads `Tests/Vectors/onegini`.
enum Vectors {
    static func json(_ name: String) throws -> JSONValue {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/onegini").appending(path: name)
        return try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
    }

    static func openPGP(_ name: String) throws -> String {
        try #require(json("openpgp.json")[name]?.string, "\(name)")
    }

    /// 2024-01-01, when all keys of the vectors were made.
    static let keyTime = 1_704_067_200
}

extension JSONValue {
    /// A member that the vectors have.
    func required(_ name: String) throws -> String { try #require(self[name]?.string, "\(name)") }
}
