import Essentials
import HTTP
import PlatformKit
import SQLite

/// A line of the audit, as the management API lists it.
struct AuditEntry: Record, Equatable {
    static let table = Table("miracl_audit", key: "position", limit: 10_000)

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

extension Turn {
    /// Writes a line of the audit.
    ///
    /// - Parameters:
    ///   - type: such as `authentication`.
    ///   - status: such as `authenticate_success`.
    func audit(
        _ type: String, _ status: String, of identity: Identity, clientID: String? = nil, _ request: Request
    ) throws {
        try insert(
            AuditEntry(
                at: now, projectID: identity.projectID, type: type, status: status, userID: identity.userID,
                hashMPinID: identity.hashMPinID, deviceName: identity.deviceName, clientID: clientID,
                ipAddress: request.peer.address))
    }
}

extension AuditEntry: AuditRow {
    var line: AuditLine {
        AuditLine(
            at: at, event: status, user: userID, client: clientID, address: ipAddress,
            facts: [
                ("project", projectID), ("type", type), ("device", deviceName),
                ("M-Pin id, SHA-256", hashMPinID),
            ])
    }
}
