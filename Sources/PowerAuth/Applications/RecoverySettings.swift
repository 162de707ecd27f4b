import Crypto
import Essentials
import SQLite

/// How an application offers recovery by printed cards. The key pair is made when they are switched on.
struct RecoverySettings: Codable, Sendable, Equatable {
    /// Whether `recovery/create` gives codes for cards. False when left out.
    var printsCards = false
    /// Whether a user may have more than one card. False when left out.
    var allowsMultiple = false
    /// The scalar of the server's key pair in Base64.
    var privateKey: String?
    /// The printing centre's public key in Base64: a point of P-256.
    var printerKey: String?

    enum CodingKeys: String, CodingKey {
        case printsCards = "prints_cards"
        case allowsMultiple = "allows_multiple"
        case privateKey = "private_key"
        case printerKey = "printer_key"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        printsCards = try fields.decodeIfPresent(Bool.self, forKey: .printsCards) ?? false
        allowsMultiple = try fields.decodeIfPresent(Bool.self, forKey: .allowsMultiple) ?? false
        privateKey = try fields.decodeIfPresent(String.self, forKey: .privateKey)
        printerKey = try fields.decodeIfPresent(String.self, forKey: .printerKey)
    }
}

extension RecoverySettings {
    private static let name = "cards"

    /// Those of an application; nil when nobody set any.
    static func find(_ application: String, in db: Connection) throws -> RecoverySettings? {
        let value = try Configuration.all(.recovery, of: application, in: db)[name]
        return try value.map { try JSONDecoder().decode(Self.self, from: Data($0.bytes)) }
    }

    func store(for application: String, in db: Connection) throws {
        let value = try JSONValue(parsing: Array(JSONEncoder().encode(self)))
        try db.save(Configuration(application: application, kind: .recovery, name: Self.name, value: value))
    }

    /// Nil unless both keys are there.
    ///
    /// - Throws: ``ProtocolFault`` for a printer's key that is no point.
    func agreedSecret() throws -> [UInt8]? {
        guard let own = privateKey.flatMap({ Base64.decode($0) }),
            let other = printerKey.flatMap({ WireBase64.decode($0) })
        else { return nil }
        return try SecretScalar(own).sharedSecret(with: CurvePoint(other, of: "remotePostcardPublicKey"))
    }
}
