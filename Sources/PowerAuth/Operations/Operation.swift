import Essentials
import PlatformKit
import SQLite

/// Something that a back end asks a user to approve on a device.
struct Operation: Traced, Equatable {
    static let table: Table = "powerauth_operation"

    enum State: String, Codable, Sendable, CaseIterable {
        case pending = "PENDING"
        case approved = "APPROVED"
        case rejected = "REJECTED"
        case canceled = "CANCELED"
        case expired = "EXPIRED"
        case failed = "FAILED"
    }

    /// Version 4 UUID in lower case.
    let id: String
    /// Nil for one that nobody has claimed yet.
    var user: String?
    /// The only activation that may approve it; nil for any of the user's.
    let activation: String?
    /// Every application in which it is visible.
    let applications: [String]
    let template: String
    /// `operationType`, from the template: the key of the mobile template.
    let type: String
    /// Operation data as the device signs it: `A1*A63.99EUR*I…`.
    let data: String
    let parameters: [String: String]
    /// Facts collected while it is handled. `device` is computed when read and never stored.
    var additionalData: [String: JSONValue]
    /// As stored; ``state(at:)`` knows what time has done to it.
    var state: State
    /// Machine-readable, at most 32 characters; of a cancelled one only.
    var stateReason: String?
    /// Allowed factors, from the template.
    let types: [SignatureType]
    /// Of `X`, `C` and `F`.
    let riskFlags: String
    var failures: Int
    let maxFailures: Int
    /// 16 bytes; nil without proximity check.
    let proximitySeed: Base64Bytes?
    /// Activation flag that a device needs to see and approve it.
    let flag: String?
    /// The caller's reference.
    let externalID: String?
    /// Language of texts that are made without a device, such as pushes and offline codes.
    let language: String
    let createdAt: Date
    let expiresAt: Date
    /// Set when approved, rejected or failed; not when cancelled or expired.
    var finalizedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, user, activation, applications, template, type, data, parameters, state, failures, flag
        case language
        case additionalData = "additional_data"
        case stateReason = "state_reason"
        case types = "factors"
        case riskFlags = "risk_flags"
        case maxFailures = "max_failures"
        case proximitySeed = "proximity_seed"
        case externalID = "external_id"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case finalizedAt = "finalized_at"
    }

    /// What it is at this moment.
    func state(at now: Date) -> State { state == .pending && now >= expiresAt ? .expired : state }

    static func countPending(at now: Date, in db: Connection) throws -> Int {
        try db.count(
            Operation.self, where: "state = \(State.pending.rawValue) AND expires_at > \(now)")
    }
}

extension Operation {
    var subjects: [Subject] {
        [Subject(.operation, id, "Operation “\(template)”")] + (user.map { [Subject(.user, $0)] } ?? [])
    }
}

extension Operation {
    /// From a fixture file.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try fields.decode(String.self, forKey: key) }
        func optional(_ key: CodingKeys) throws -> String? {
            try fields.decodeIfPresent(String.self, forKey: key)
        }
        id = try text(.id)
        (user, activation) = (try optional(.user), try optional(.activation))
        applications = try fields.decode([String].self, forKey: .applications)
        (template, type, data) = (try text(.template), try text(.type), try text(.data))
        parameters = try fields.decodeIfPresent([String: String].self, forKey: .parameters) ?? [:]
        additionalData = try fields.decodeIfPresent([String: JSONValue].self, forKey: .additionalData) ?? [:]
        state = try fields.decodeIfPresent(State.self, forKey: .state) ?? .pending
        stateReason = try optional(.stateReason)
        types = try fields.decode([SignatureType].self, forKey: .types)
        riskFlags = try optional(.riskFlags) ?? ""
        failures = try fields.decodeIfPresent(Int.self, forKey: .failures) ?? 0
        maxFailures = try fields.decodeIfPresent(Int.self, forKey: .maxFailures) ?? 5
        proximitySeed = try fields.decodeIfPresent(Base64Bytes.self, forKey: .proximitySeed)
        (flag, externalID) = (try optional(.flag), try optional(.externalID))
        language = try optional(.language) ?? AcceptLanguage.standard
        createdAt = try fields.decode(Date.self, forKey: .createdAt)
        expiresAt = try fields.decode(Date.self, forKey: .expiresAt)
        finalizedAt = try fields.decodeIfPresent(Date.self, forKey: .finalizedAt)
    }

    /// By hand: lists of devices and back ends read many.
    init(row: Row) throws {
        let id = try row.text("id")
        let words = try row.strings("factors")
        let types = words.compactMap(SignatureType.init(rawValue:))
        guard let state = State(rawValue: try row.text("state")), types.count == words.count else {
            throw StoredValueUnknown(table: "powerauth_operation", id: id)
        }
        self.init(
            id: id, user: try row.optionalText("user"), activation: try row.optionalText("activation"),
            applications: try row.strings("applications"), template: try row.text("template"),
            type: try row.text("type"), data: try row.text("data"),
            parameters: (try row.json("parameters").object ?? [:]).compactMapValues(\.string),
            additionalData: try row.json("additional_data").object ?? [:], state: state,
            stateReason: try row.optionalText("state_reason"), types: types,
            riskFlags: try row.text("risk_flags"),
            failures: try row.integer("failures"), maxFailures: try row.integer("max_failures"),
            proximitySeed: try row.optionalBlob("proximity_seed").map(Base64Bytes.init),
            flag: try row.optionalText("flag"),
            externalID: try row.optionalText("external_id"), language: try row.text("language"),
            createdAt: try row.date("created_at"), expiresAt: try row.date("expires_at"),
            finalizedAt: try row.optionalDate("finalized_at"))
    }
}
