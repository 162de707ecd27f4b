import Crypto
import Essentials
import PlatformKit
import SQLite

/// A secret of one activation by which it authenticates requests without using up a counter value.
struct Token: Traced, Equatable {
    static let table: Table = "powerauth_token"

    /// Version 4 UUID in lower case.
    let id: String
    let activation: String
    /// 16 bytes in 3.x, 32 in 4.0.
    let secret: Base64Bytes
    /// Factors with which it was made.
    let type: SignatureType
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, activation, secret, type
        case createdAt = "created_at"
    }
}

extension Token {
    /// What the device learns of it.
    var told: JSONValue {
        ["tokenId": .string(id), "tokenSecret": .string(Base64.encode(secret.bytes))]
    }

    var subjects: [Subject] { [Subject(.activation, activation)] }
}

extension Token {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        activation = try fields.decode(String.self, forKey: .activation)
        secret = try fields.decode(Base64Bytes.self, forKey: .secret)
        type = try fields.decode(SignatureType.self, forKey: .type)
        createdAt =
            try fields.decodeIfPresent(Date.self, forKey: .createdAt) ?? Date(timeIntervalSince1970: 0)
    }

    /// By hand: a phone that polls brings one each time, and by `Codable` that takes 14,400 instructions.
    init(row: Row) throws {
        id = try row.text("id")
        guard let type = SignatureType(rawValue: try row.text("type")) else {
            throw StoredValueUnknown(table: "powerauth_token", id: id)
        }
        (activation, self.type) = (try row.text("activation"), type)
        (secret, createdAt) = (Base64Bytes(try row.blob("secret")), try row.date("created_at"))
    }

    static func create(
        for activation: Activation, _ type: SignatureType, secretCount: Int = SecretKey.count,
        _ entropy: Entropy, in turn: Turn
    ) throws -> Token {
        let token = Token(
            id: entropy.uuid(for: "powerauth.token"), activation: activation.id,
            secret: Base64Bytes(entropy.bytes(secretCount, "powerauth.token-secret")), type: type,
            createdAt: turn.now)
        try turn.insert(token)
        return token
    }

    /// - Returns: whether there was one of this activation.
    @discardableResult
    static func remove(_ id: String, of activation: String, in db: Connection) throws -> Bool {
        try db.delete(Token.self, where: "id = \(id) AND activation = \(activation)")
        return db.changes > 0
    }
}
