import Crypto
import Essentials
import PlatformKit

/// Whose entry is being read from a fixture file: what stands inside of a user is that user's.
enum Owner {
    @TaskLocal static var userID: String?
}

extension KeyedDecodingContainer {
    /// The `user_id` of a row, or of an entry that stands by itself; inside of a user it may be left out.
    func owner(_ key: Key) throws -> String {
        if let userID = Owner.userID, !contains(key) { return userID }
        return try decode(String.self, forKey: key)
    }
}

extension Hanko {
    /// The time of an entry of the fixtures that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    /// The id of an entry of the fixtures that says none: one that follows from what it is about.
    static func id(_ kind: String, of subject: String) -> String {
        Entropy.uuid(of: Digest.sha256(Array("hanko.\(kind) \(subject)".utf8)))
    }
}
