import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// What a user sees as one: a web client, or all installations of one mobile app.
    private struct UserApplication {
        let name: String
        var clientIDs: [String]

        /// A UUID made of the name, so that it stays the same without being stored.
        var id: String { Entropy.uuid(of: Digest.sha256(Array("onegini application \(name)".utf8))) }
        var title: String
    }

    /// `GET /api/v1/users/{userId}/applications`: the applications that act for the user.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"apps":[{id, app_name}]}`.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No applications found`.
    /// - Source: Token Server documentation, application API.
    func listUserApplications(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let user = request.parameter("userId")
        let listed = try database.read { db in
            try userApplications(of: user, in: db).map { application -> JSONValue in
                ["id": .string(application.id), "app_name": .string(application.title)]
            }
        }
        return try .list("apps", listed, of: user, what: "applications")
    }

    /// `DELETE /api/v1/users/{userId}/applications/{applicationId}`: takes back what the user gave an application: tokens, grants
    /// and consents.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, also for an application that is unknown or not this user's.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, application API.
    func removeUserApplication(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, id) = (request.parameter("userId"), request.parameter("applicationId"))
        try world.change { turn in
            let meant = try userApplications(of: user, in: turn.db).filter { $0.id == id }
            for clientID in meant.flatMap(\.clientIDs) {
                try server.grants.end(
                    .init(clientID: clientID, subject: user), .revoked, at: turn.now, in: turn.db)
                if let consent = try server.consents.find(user, clientID, in: turn.db) {
                    try server.consents.remove(consent.id, in: turn.db)
                }
            }
        }
        return .managementDone
    }

    /// Those with a grant or a consent of the user, in the order in which they got the first.
    private func userApplications(of user: String, in db: Connection) throws -> [UserApplication] {
        let ids =
            try server.liveGrants(of: user, in: db).map(\.clientID)
            + server.consents.all(of: user, in: db).map(\.clientID)
        var applications: [UserApplication] = []
        for id in ids where !applications.contains(where: { $0.clientIDs.contains(id) }) {
            let device = try db.device(id)
            let name = device.map { "mobile \($0.application)" } ?? "client \(id)"
            if let index = applications.firstIndex(where: { $0.name == name }) {
                applications[index].clientIDs.append(id)
            } else {
                let title = try device?.application ?? server.clients.find(id, in: db)?.name ?? id
                applications.append(UserApplication(name: name, clientIDs: [id], title: title))
            }
        }
        return applications
    }
}
