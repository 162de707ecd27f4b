import Essentials
import SQLite

/// An address that a back end wants to be told at.
struct RegisteredCallback: Sendable, Equatable, RowDecodable {
    static let defaultBackoff = "PT2S"
    static let defaultRetention = "P30D"

    /// Version 4 UUID in lower case.
    let id: String
    let application: String
    var name: String
    let kind: CallbackKind
    var url: String
    /// Members that are told besides the mandatory ones.
    var attributes: [String]
    var authentication: CallbackAuthentication
    /// 1 means that a failure is final.
    var maxAttempts: Int
    /// ISO 8601, before the second attempt.
    var initialBackoff: String
    /// ISO 8601: how long completed events are kept.
    var retentionPeriod: String
    /// False for one that was removed: its events stay.
    var isEnabled: Bool

    init(
        id: String, application: String, name: String, kind: CallbackKind, url: String,
        attributes: [String] = [], authentication: CallbackAuthentication = CallbackAuthentication(),
        maxAttempts: Int = 1, initialBackoff: String = defaultBackoff,
        retentionPeriod: String = defaultRetention, isEnabled: Bool = true
    ) {
        (self.id, self.application, self.name, self.kind) = (id, application, name, kind)
        (self.url, self.attributes, self.authentication) = (url, attributes, authentication)
        (self.maxAttempts, self.initialBackoff) = (maxAttempts, initialBackoff)
        (self.retentionPeriod, self.isEnabled) = (retentionPeriod, isEnabled)
    }

    init(row: Row) throws {
        let id = try row.text("id")
        guard let kind = CallbackKind(rawValue: try row.text("kind")) else {
            throw StoredValueUnknown(table: "powerauth_callback", id: id)
        }
        self.init(
            id: id, application: try row.text("application"), name: try row.text("name"), kind: kind,
            url: try row.text("url"), attributes: try row.strings("attributes"),
            authentication: try JSONDecoder().decode(
                CallbackAuthentication.self, from: Data(row.text("authentication").utf8)),
            maxAttempts: try row.integer("max_attempts"), initialBackoff: try row.text("initial_backoff"),
            retentionPeriod: try row.text("retention_period"), isEnabled: try row.boolean("is_enabled"))
    }

    /// Source: PowerAuth documentation, callbacks: each pause is half as long again, up to 32 s.
    var pauses: [Double] {
        let first = ISODuration(initialBackoff)?.seconds ?? 2
        return (0..<max(1, min(maxAttempts, 64))).map { index in
            min(32, first * (0..<index).reduce(1) { factor, _ in factor * 1.5 })
        }
    }

    var authenticationText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return String(decoding: try encoder.encode(authentication), as: UTF8.self)
        }
    }
}
