import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/setupDone/{mpinId}`: a classic client has chosen its PIN.
    ///
    /// - Request: an empty object, or nothing.
    /// - Response: `200 {"message": "OK", "version": "0.4"}`. The state of the identity changes with its first good proof.
    /// - Errors: `404` for an unknown id.
    /// - Source: Milagro MFA JavaScript library.
    func noteSetup(_ request: Request) throws -> Response {
        let mpinID = request.parameter("id").lowercased()
        guard let identity = try database.read({ db in try Identity.find(mpinID, in: db) }) else {
            throw ManagementRefusal.permitIdentityUnknown(mpinID)
        }
        services.journal.event(
            "setup done", about: identity.userID,
            "The app of \(identity.userID) says that a PIN was chosen for “\(identity.deviceName)”.")
        return .answer(["message": "OK", "version": "0.4"])
    }
}
