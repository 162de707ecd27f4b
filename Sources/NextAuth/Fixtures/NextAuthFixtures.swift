import Essentials
import PlatformKit
import SQLite

/// The section `nextauth` of a fixture file.
package struct NextAuthFixtures: Codable, Sendable {
    var settings: Settings?
    /// Attributes of the whole process.
    var attributes: [String: JSONValue]?
    var servers: [Server]?
    var users: [User]?
    var apiKeys: [APIKey]?
    /// What roles may do.
    var grants: [Grant]?
    /// Installations of apps.
    var instances: [Instance]?
    var accounts: [Account]?
    /// Account ids up to this one are spent.
    var lastAccountID: Int?
    var webSessions: [WebSession]?
    /// Oldest first, as everything below.
    var transactions: [SignTransaction]?
    var codes: [Code]?
    var flows: [Flow]?
    var deviceSessions: [DeviceSession]?
    var events: [DeviceEvent]?
    var messages: [PushMessage]?

    enum CodingKeys: String, CodingKey {
        case settings, attributes, servers, users, grants, instances, accounts, transactions, codes, flows
        case events, messages
        case apiKeys = "api_keys"
        case lastAccountID = "last_account_id"
        case webSessions = "web_sessions"
        case deviceSessions = "device_sessions"
    }
}
