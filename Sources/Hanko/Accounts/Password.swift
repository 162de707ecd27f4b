import Crypto
import Essentials
import PlatformKit
import SQLite

/// The password of a user.
struct Password: Record, Equatable {
    static let table = Table("hanko_password", key: "user_id")

    let id: String
    let userID: String
    /// See ``PasswordHash``.
    var hash: String
    let createdAt: Date
    var updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, hash
        case userID = "user_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    func matches(_ password: String) throws -> Bool {
        try PasswordHash(text: hash)?.matches(password) ?? false
    }
}

extension Password {
    /// What people write in the place of the hash.
    private enum WrittenKeys: CodingKey { case text }

    /// In fixtures `text`, the password itself, may stand in the place of `hash`, and id and times may be left out.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        userID = try members.owner(.userID)
        id = try members.decodeIfPresent(String.self, forKey: .id) ?? EntryID.made("password", of: userID)
        createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        updatedAt = try members.decodeIfPresent(Date.self, forKey: .updatedAt) ?? createdAt
        let written = try decoder.container(keyedBy: WrittenKeys.self)
        switch (written.contains(.text), members.contains(.hash)) {
        case (false, true): hash = try members.decode(String.self, forKey: .hash)
        case (true, false):
            let salt = Digest.sha256(Array("hanko.salt \(userID)".utf8)).prefix(16)
            let text = try written.decode(PlainPassword.self, forKey: .text).text
            hash = try PasswordHash(text, salt: Array(salt)).text
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "expected either “text” or “hash”"))
        }
    }
}

/// A password of a length that can be kept.
private struct PlainPassword: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = try value.decode(String.self)
        guard !text.isEmpty, text.utf8.count <= PasswordHash.maxBytes else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "expected 1 to \(PasswordHash.maxBytes) bytes of UTF-8")
        }
    }
}

extension Connection {
    func password(of userID: String) throws -> Password? {
        try first(Password.self, where: "user_id = \(userID)")
    }

    /// Sets or changes the user's password.
    ///
    /// - Parameter id: of the row, when it is the first.
    @discardableResult
    func setPassword(
        _ hash: PasswordHash, of userID: String, id: String, at now: Date
    ) throws -> Password {
        let known = try password(of: userID)
        let password = Password(
            id: known?.id ?? id, userID: userID, hash: hash.text, createdAt: known?.createdAt ?? now,
            updatedAt: now)
        try save(password)
        return password
    }
}
