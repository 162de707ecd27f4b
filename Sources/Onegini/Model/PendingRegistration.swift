import Essentials
import SQLite

/// A challenge that a device was given and has not answered yet.
struct PendingRegistration: Sendable, Equatable, Codable {
    static let lifetimeSeconds = 600
    static let maxWrongResponses = 5

    /// UUID
    var identifier: String
    /// 64 hex digits in lower case.
    var challenge: String
    var application: String
    var platform: String
    var version: String
    var osVersion: String?
    var wrongResponses: Int
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case identifier, challenge, application, platform, version
        case osVersion = "os_version"
        case wrongResponses = "wrong_responses"
        case expiresAt = "expires_at"
    }
}

extension PendingRegistration: RowDecodable {
    init(row: Row) throws {
        self.init(
            identifier: try row.text("identifier"), challenge: try row.text("challenge"),
            application: try row.text("application"), platform: try row.text("platform"),
            version: try row.text("version"), osVersion: try row.optionalText("os_version"),
            wrongResponses: try row.integer("wrong_responses"), expiresAt: try row.date("expires_at"))
    }
}
