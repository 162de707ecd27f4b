import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// Writes a line of the audit, in the transaction in which it happened.
    ///
    /// - Parameters:
    ///   - type: such as `authentication`.
    ///   - status: such as `authenticate_success`.
    func note(
        _ type: String, _ status: String, of identity: Identity, clientID: String? = nil, _ request: Request,
        in turn: Turn
    ) throws {
        try turn.insert(
            AuditEntry(
                at: turn.now, projectID: identity.projectID, type: type, status: status,
                userID: identity.userID,
                hashMPinID: identity.hashMPinID, deviceName: identity.deviceName, clientID: clientID,
                ipAddress: request.peer.address))
    }
}
