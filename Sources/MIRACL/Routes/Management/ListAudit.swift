import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /api/v1/projects/{project}/audit`: what users of the project did.
    ///
    /// - Request: query `applicationId`, `fromDate`, `toDate` (RFC 3339, a day, or seconds since 1970), `userId`, `mpinId` (or its
    ///   hash), `deviceName`, `offset`, `limit` (100 when left out, 1000 at most), with `Authorization: Basic` or `Bearer`.
    /// - Response: `200 {"total", "list": [{"IPAddress", "appID", "appName", "country", "createdAt", "deviceName", "eventStatus",
    ///   "eventType", "mpinID", "userID"}]}`, the newest first; `total` counts them all, `mpinID` is a hash.
    /// - Errors: `401 UNAUTHORIZED`; `403 FORBIDDEN` for another project; `400 INVALID_REQUEST_PARAMETERS`.
    /// - Source: the vendor's documentation of its back end API; the form of times is assumed.
    func listAudit(_ request: Request) throws -> Response {
        let project = try projects.requireBackEnd(request, projectID: request.parameter("project")).project
        let query = try AuditQuery(request.queryItems)
        let entries = try database.read { db in try db.all(AuditEntry.self) }
            .filter { $0.projectID == project.id && query.wants($0) }
        let page = entries.reversed().dropFirst(query.offset).prefix(query.limit)
        return .answer([
            "total": .integer(entries.count),
            "list": .array(page.map { $0.listed(in: project) }),
        ])
    }
}

extension AuditEntry {
    fileprivate func listed(in project: Project) -> JSONValue {
        let application = clientID.flatMap { project.application($0) }
        return [
            "IPAddress": .string(ipAddress), "appID": .string(clientID ?? ""),
            "appName": .string(application?.name ?? ""), "country": "",
            "createdAt": .string(Timestamp.text(at)), "deviceName": .string(deviceName ?? ""),
            "eventStatus": .string(status), "eventType": .string(type),
            "mpinID": .string(hashMPinID ?? ""), "userID": .string(userID),
        ]
    }
}
