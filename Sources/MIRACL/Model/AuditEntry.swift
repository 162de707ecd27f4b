import Essentials
import SQLite

/// A line of the audit, as the management API lists it.
struct AuditEntry: Codable, Sendable, Equatable {
    var at: Date
    var projectID: String
    /// Such as `authentication`.
    var type: String
    /// Such as `authenticate_success`.
    var status: String
    var userID: String
    /// SHA-256 of the M-Pin id, hexadecimal.
    var hashMPinID: String?
    var deviceName: String?
    var clientID: String?
    var ipAddress: String

    enum CodingKeys: String, CodingKey {
        case at, type, status
        case projectID = "project_id"
        case userID = "user_id"
        case hashMPinID = "hash_mpin_id"
        case deviceName = "device_name"
        case clientID = "client_id"
        case ipAddress = "ip_address"
    }
}

extension AuditEntry: RowDecodable {
    init(row: Row) throws {
        self.init(
            at: try row.date("at"), projectID: try row.text("project_id"), type: try row.text("type"),
            status: try row.text("status"), userID: try row.text("user_id"),
            hashMPinID: try row.optionalText("hash_mpin_id"), deviceName: try row.optionalText("device_name"),
            clientID: try row.optionalText("client_id"), ipAddress: try row.text("ip_address"))
    }
}
