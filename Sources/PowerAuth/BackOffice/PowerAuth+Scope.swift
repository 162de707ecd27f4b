import Essentials
import HTTP
import PlatformKit
import SQLite

/// What a system user may see, and what every API tells of it.
extension PowerAuth {
    /// The registration, when the user may see it.
    ///
    /// - Parameter isStored: whether it is wanted as stored, for what tells a registration that ran out of time from one that was removed.
    /// - Throws: `ERROR_REGISTRATION_NOT_FOUND`, also for one of an application that is not assigned to the user.
    func requireRegistration(
        _ id: String, of user: SystemUser, asStored isStored: Bool = false, in turn: Turn
    ) throws -> Activation {
        let found =
            isStored ? try Activation.find(id, in: turn.db) : try activations.find(id, in: turn)
        guard let activation = found else { throw CloudRefusal.registrationUnknown(id) }
        guard user.applications.contains(activation.application) else {
            throw CloudRefusal.registrationUnknown(
                id,
                "The registration \(id) belongs to the application “\(activation.application)”, which is not assigned to the "
                    + "system user “\(user.name)”.")
        }
        return activation
    }

    /// - Throws: `ERROR_REQUEST` for an application that is not there or not assigned to the user.
    func requireApplication(_ id: String, of user: SystemUser, in db: Connection) throws -> Application {
        guard let application = try Application.find(id, in: db) else {
            throw CloudRefusal(.request, "There is no application “\(id.prefix(60))”.")
        }
        guard user.applications.contains(id) else {
            throw CloudRefusal(
                .request, "The application “\(id)” is not available.",
                "The application “\(id)” is not assigned to the system user “\(user.name)”; an administrator does that by "
                    + "POST /admin/users/\(user.name)/applications/\(id).")
        }
        return application
    }
}

extension Response {
    /// A success without a result: clients parse every body and want a text under `status`.
    static var cloudOK: Response { .flat(["status": "OK"]) }
}
