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

/// Ids of entries of the fixtures that say none.
enum EntryID {
    /// One that follows from what the entry is about.
    static func made(_ kind: String, of subject: String) -> String {
        Entropy.uuid(of: Digest.sha256(Array("hanko.\(kind) \(subject)".utf8)))
    }
}
