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
        let backEnd = try projects.requireBackEnd(request, projectID: request.parameter("project"))
        let reason = try Members(request, isOptional: true).optionalText("reason") ?? ""
        let name = request.parameter("id").lowercased()
        let revoked = try world.change { turn in
            guard let found = try Identity.named(name, in: turn.db), found.projectID == backEnd.project.id
            else { throw ManagementRefusal.identityUnknown(name) }
            try found.revoke(
                request, clientID: backEnd.application?.clientID, reason.isEmpty ? nil : reason,
                in: turn)
            return found
        }
        return .answer(["hashMPinID": .string(revoked.hashMPinID), "reason": .string(reason)])
    }
}
