import Essentials
import OpenID
import SQLite

/// What OpenID Connect clients hear of an identity's owner: the grant remembers which identity signed in.
struct IdentityExtension: ServerExtension {
    func user(of grant: Grant, in db: Connection) throws -> User? {
        guard let subject = grant.subject else { return nil }
        var claims: [String: JSONValue] = ["email": .string(subject), "email_verified": true]
        if let mpinID = grant.context, let identity = try Identity.find(mpinID, in: db) {
            claims["mpin_id"] = .string(mpinID)
            claims["hash_mpin_id"] = .string(identity.hashMPinID)
            let keys = try Identity.all(of: subject, in: identity.projectID, db)
                .filter { $0.state == .active || $0.state == .issued }.compactMap(\.publicKey)
            claims["dvs_keys"] = JSONValue(keys)
        }
        return User(subject: subject, username: subject, claims: claims)
    }
}
