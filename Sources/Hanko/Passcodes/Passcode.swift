import Crypto
import Essentials
import PlatformKit
import SQLite

/// A code that was mailed to an address of a user.
struct Passcode: Traced, Equatable {
    static let table: Table = "hanko_passcode"

    /// Wrong codes after which a passcode is deleted.
    static let triesAllowed = 3

    let id: String
    let userID: String
    let emailID: String
    /// See ``digest(of:id:)``; in base64.
    let digest: String
    /// Seconds.
    let ttl: Int
    var wrongTries: Int
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, ttl
        case userID = "user_id"
        case emailID = "email_id"
        case digest = "code_sha256"
        case wrongTries = "wrong_tries"
        case createdAt = "created_at"
    }

    var expiresAt: Date { createdAt.addingTimeInterval(Double(ttl)) }

    init(id: String, userID: String, emailID: String, code: String, ttl: Int, createdAt: Date) {
        (self.id, self.userID, self.emailID) = (id, userID, emailID)
        digest = Self.text(ofDigest: Self.digest(of: code, id: id))
        (self.ttl, wrongTries, self.createdAt) = (ttl, 0, createdAt)
    }

    /// SHA-256 over the passcode's id, a colon and the code; the random id is the salt of the row.
    ///
    /// The original uses bcrypt. A million codes are searched through in no time whatever the hash, so that would buy
    /// nothing here but waiting.
    static func digest(of code: String, id: String) -> [UInt8] {
        Digest.sha256(Array("\(id):\(code)".utf8))
    }

    private static func text(ofDigest digest: [UInt8]) -> String { Data(digest).base64EncodedString() }

    func matches(_ code: String) -> Bool {
        let right = Self.text(ofDigest: Self.digest(of: code, id: id))
        return constantTimeEqual(Array(digest.utf8), Array(right.utf8))
    }
}

extension Passcode {
    var subjects: [Subject] { [Subject(.passcode, id, "Login", "by passcode")] }
}

extension Passcode {
    /// What people write in the place of the digest.
    private enum WrittenKeys: CodingKey { case code }

    /// In fixtures `code`, six digits, may stand in the place of `code_sha256`.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        userID = try members.decode(String.self, forKey: .userID)
        emailID = try members.decode(String.self, forKey: .emailID)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl) ?? 300
        wrongTries = try members.decodeIfPresent(Int.self, forKey: .wrongTries) ?? 0
        createdAt = try members.decode(Date.self, forKey: .createdAt)
        let written = try decoder.container(keyedBy: WrittenKeys.self)
        switch (written.contains(.code), members.contains(.digest)) {
        case (false, true): digest = try members.decode(String.self, forKey: .digest)
        case (true, false):
            let code = try written.decode(SixDigits.self, forKey: .code).text
            digest = Self.text(ofDigest: Self.digest(of: code, id: id))
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected either “code” or “code_sha256”"))
        }
    }
}

private struct SixDigits: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = try value.decode(String.self)
        guard text.utf8.count == 6, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "expected six digits, found “\(text)”")
        }
    }
}

/// A passcode as the client sees it: everything but the code.
struct PasscodeOutput: Sendable {
    let id: String
    /// Seconds.
    let ttl: Int
    let createdAt: Date

    init(_ passcode: Passcode) { (id, ttl, createdAt) = (passcode.id, passcode.ttl, passcode.createdAt) }

    var json: JSONValue {
        ["id": .string(id), "ttl": .integer(ttl), "created_at": .string(Timestamp.text(createdAt, .trimmed))]
    }
}
