import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /rps/v2/timePermit/{mpinId}`: the first authority's share of today's time permit, and where the other one is.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"timePermit": point, "date": days since 1970, "storageId", "signature", "message": "OK", "version": "0.4"}`.
    /// - Errors: `410 REVOKED_MPINID` for an identity that is blocked, revoked or expired; `404` for an unknown one.
    /// - Source: Milagro MFA SDK core; Milagro MFA server.
    func giveTimePermit(_ request: Request) throws -> Response {
        let mpinID = request.parameter("id").lowercased()
        guard let found = try database.read({ db in try Identity.find(mpinID, in: db) }) else {
            if try projects.blockingUnknown(request) != nil {
                throw ManagementRefusal.permitIdentityOver(.revoked)
            }
            throw ManagementRefusal.permitIdentityUnknown(mpinID)
        }
        let (identity, project) = try permitted(found)
        let permit = try project.masterSecret().timePermit(.first, for: identity.point(), day: now.day)
        return .answer([
            "timePermit": .string(permit.hex), "date": .integer(Int(now.day)),
            "storageId": .string(identity.hashMPinID),
            "signature": .string(try permitSignature(of: identity, in: project)), "message": "OK",
            "version": "0.4",
        ])
    }

    /// `GET /rps/v2/dta/timePermit`: the second authority's share.
    ///
    /// - Request: query `hash_mpin_id`, `app_id`, `mobile=1`, and the `signature` that came with the first share.
    /// - Response: `200 {"timePermit": point, "message": "OK", "version": "0.4"}`.
    /// - Errors: `403` for another signature; `410` and `404` as for the first share.
    /// - Source: Milagro MFA SDK core; Milagro MFA server.
    func giveClassicPermit(_ request: Request) throws -> Response {
        let query = request.queryItems
        let hash = (query["hash_mpin_id"] ?? "").lowercased()
        guard let found = try database.read({ db in try db.first(Identity.self, where: "hash = \(hash)") })
        else {
            throw ManagementRefusal.permitIdentityUnknown(hash)
        }
        let (identity, project) = try permitted(found)
        guard try permitSignature(of: identity, in: project).isSame(as: query["signature"] ?? "") else {
            throw ManagementRefusal.permitSignature
        }
        let permit = try secondPermit(of: identity, in: project)
        return .answer(["timePermit": .string(permit.hex), "message": "OK", "version": "0.4"])
    }

    /// `GET /rps/v2/permits/{app}/{date}/{storageId}`: the same share from the storage that everybody may read.
    ///
    /// - Request: the application's or project's id, the day, and the identity's hash.
    /// - Response: `200` with the point in hexadecimal and nothing else.
    /// - Errors: `404`, after which a client asks `dta/timePermit`.
    /// - Source: Milagro MFA SDK core.
    func giveStoredPermit(_ request: Request) throws -> Response {
        let hash = request.parameter("storage").lowercased()
        guard let found = try database.read({ db in try db.first(Identity.self, where: "hash = \(hash)") }),
            let project = try projects.find(found.projectID)
        else { throw ManagementRefusal.permitStorage("no identity has this hash.") }
        let application = request.parameter("app")
        guard project.id == application || project.application(application) != nil else {
            throw ManagementRefusal.permitStorage("the identity belongs to the project “\(project.id)”.")
        }
        guard request.parameter("date") == String(now.day) else {
            throw ManagementRefusal.permitStorage("today is \(now.day), in days since 1970 and UTC.")
        }
        let identity: Identity
        do {
            identity = try permitted(found).0
        } catch let refusal as ManagementRefusal {
            throw ManagementRefusal.permitStorage(refusal.explanation)
        }
        return .text(try secondPermit(of: identity, in: project).hex)
    }

    private func secondPermit(of identity: Identity, in project: Project) throws -> G1Point {
        try project.masterSecret().timePermit(.second, for: identity.point(), day: now.day)
    }

    /// An identity that may have a time permit.
    private func permitted(_ identity: Identity) throws -> (Identity, Project) {
        guard let project = try projects.find(identity.projectID) else {
            throw ManagementRefusal.permitIdentityUnknown(identity.mpinID)
        }
        if identity.state == .blocked || identity.state == .revoked {
            throw ManagementRefusal.permitIdentityOver(identity.state)
        }
        if let at = identity.expiresAt, at <= now { throw ManagementRefusal.permitIdentityExpired(at) }
        return (identity, project)
    }

    /// What shows the second authority that the first one agreed: an HMAC, where the original signs.
    private func permitSignature(of identity: Identity, in project: Project) throws -> String {
        let text = "\(identity.hashMPinID) \(now.day)"
        let key = try project.masterSecret().first.bytes
        return Hex.encode(Digest.sha256.authenticationCode(of: Array(text.utf8), key: key))
    }
}
