import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /api/v1/projects/{project}/mpinids/{hashMpinId}/revocation`: the device's next proof ends in `410`.
    ///
    /// - Request: `{"reason"?}` or nothing, with `Authorization: Basic` or `Bearer`. The M-Pin id itself will do as well as its hash.
    /// - Response: `200 {"hashMPinID", "reason"}`, also for one that was revoked before.
    /// - Errors: `401 UNAUTHORIZED`; `403 FORBIDDEN` for another project; `400 INVALID_REQUEST_PARAMETERS` for an unknown id.
    /// - Source: the vendor's documentation of its back end API.
    func revokeIdentity(_ request: Request) throws -> Response {
        let backEnd = try requireBackEnd(request, projectID: request.parameter("project"))
        let reason = try Members(request, isOptional: true).optionalText("reason") ?? ""
        let name = request.parameter("id").lowercased()
        let outcome = try database.write { db -> Result<Identity, ManagementRefusal> in
            guard let found = try identity(named: name, in: db), found.projectID == backEnd.project.id
            else { return .failure(.identityUnknown(name)) }
            try revoke(found, request, clientID: backEnd.application?.clientID, in: db)
            return .success(found)
        }
        let revoked = try outcome.get()
        tellRevocation(of: revoked, reason.isEmpty ? nil : reason)
        return .answer(["hashMPinID": .string(revoked.hashMPinID), "reason": .string(reason)])
    }

    /// - Parameter name: an M-Pin id or its hash, hexadecimal in lower case.
    func identity(named name: String, in db: Connection) throws -> Identity? {
        try identities.find(hash: name, in: db) ?? identities.find(name, in: db)
    }

    /// Ends an identity for good, in the caller's transaction.
    func revoke(
        _ identity: Identity, _ request: Request, clientID: String? = nil, in db: Connection
    ) throws {
        guard identity.state != .revoked else { return }
        var revoked = identity
        revoked.state = .revoked
        try identities.update(revoked, in: db)
        try note("revocation", "revocation_success", of: identity, clientID: clientID, request, in: db)
    }

    func tellRevocation(of identity: Identity, _ reason: String?) {
        services.journal.event(
            "identity revoked", about: identity.userID,
            "The identity of \(identity.userID) on \"\(identity.deviceName)\" was revoked\(reason.map { ": " + $0.prefix(200) } ?? ""). "
                + "The next proof of that device ends in 410.")
    }
}
