import Essentials
import PlatformKit
import SQLite

/// An address that a back end wants to be told at.
struct RegisteredCallback: Record, Equatable {
    static let table: Table = "powerauth_callback"
    static let defaultBackoff = "PT2S"
    static let defaultRetention = "P30D"

    /// Version 4 UUID in lower case.
    let id: String
    let application: String
    var name: String
    let kind: CallbackKind
    var url: String
    /// Members that are told besides the mandatory ones.
    var attributes: [String] = []
    var authentication = CallbackAuthentication()
    /// 1 means that a failure is final.
    var maxAttempts = 1
    /// ISO 8601, before the second attempt.
    var initialBackoff = defaultBackoff
    /// ISO 8601: how long completed events are kept.
    var retentionPeriod = defaultRetention
    /// False for one that was removed: its events stay.
    var isEnabled = true

    enum CodingKeys: String, CodingKey {
        case id, application, name, url, attributes, authentication
        case kind = "type"
        case maxAttempts = "max_attempts"
        case initialBackoff = "initial_backoff"
        case retentionPeriod = "retention_period"
        case isEnabled = "is_enabled"
    }
}

extension RegisteredCallback {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        application = try fields.decode(String.self, forKey: .application)
        name = try fields.decode(String.self, forKey: .name)
        kind = try fields.decode(CallbackKind.self, forKey: .kind)
        url = try fields.decode(String.self, forKey: .url)
        attributes = try fields.decodeIfPresent([String].self, forKey: .attributes) ?? []
        authentication =
            try fields.decodeIfPresent(CallbackAuthentication.self, forKey: .authentication)
            ?? CallbackAuthentication()
        maxAttempts = try fields.decodeIfPresent(Int.self, forKey: .maxAttempts) ?? 1
        initialBackoff =
            try fields.decodeIfPresent(String.self, forKey: .initialBackoff) ?? Self.defaultBackoff
        retentionPeriod =
            try fields.decodeIfPresent(String.self, forKey: .retentionPeriod) ?? Self.defaultRetention
        isEnabled = try fields.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true
    }

    /// Source: PowerAuth documentation, callbacks: each pause is half as long again, up to 32 s.
    var pauses: [Double] {
        let first = ISODuration(initialBackoff)?.seconds ?? 2
        return (0..<max(1, min(maxAttempts, 64))).map { index in
            min(32, first * (0..<index).reduce(1) { factor, _ in factor * 1.5 })
        }
    }
}

// Queries.
extension RegisteredCallback {
    /// How many that were removed are kept; of more, those that came first go.
    static let removedLimit = 1000

    static func find(_ id: String, in db: Connection) throws -> RegisteredCallback? {
        try db.first(RegisteredCallback.self, where: "id = \(id)")
    }

    /// Those that are enabled, in the order in which they came.
    static func all(of application: String, in db: Connection) throws -> [RegisteredCallback] {
        try db.all(RegisteredCallback.self, where: "application = \(application) AND is_enabled = 1")
    }

    /// Writes it; the token of earlier credentials is forgotten.
    func store(in db: Connection) throws {
        try db.update(self)
        try CallbackHealth.setToken(nil, until: nil, of: id, in: db)
        if !isEnabled { try Self.forgetRemoved(in: db) }
    }

    /// Removed ones beyond the limit go, and with them what they were told.
    private static func forgetRemoved(in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM powerauth_callback WHERE is_enabled = 0 AND position <= (
                SELECT position FROM powerauth_callback WHERE is_enabled = 0
                ORDER BY position DESC LIMIT 1 OFFSET \(removedLimit))
            """)
        guard db.changes > 0 else { return }
        try db.execute(
            "DELETE FROM powerauth_callback_event WHERE callback NOT IN (SELECT id FROM powerauth_callback)")
    }
}

/// A span of time as ISO 8601 writes it: `PT2S`, `P30D`, `PT1M0.5S`. Years and months have no length and are not known here.
struct ISODuration: Sendable, Equatable {
    let text: String
    let seconds: Double

    /// - Returns: nil for another text, and for one without any part.
    init?(_ text: String) {
        let shape =
            /P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,9}(?:\.[0-9]{1,9})?)S)?)?/
        guard let match = text.wholeMatch(of: shape), text != "P", !text.hasSuffix("T") else { return nil }
        let parts = [match.1, match.2, match.3, match.4].map { $0.flatMap { Double($0) } ?? 0 }
        self.text = text
        seconds = parts[0] * 86_400 + parts[1] * 3600 + parts[2] * 60 + parts[3]
    }
}
