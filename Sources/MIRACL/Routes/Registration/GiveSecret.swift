import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /rps/v2/secret/{ticket}`: a share of the client's secret, at a URL that nobody can guess.
    ///
    /// - Request: nothing. May be repeated while the URL is good.
    /// - Response: `200 {"clientSecret", "dvsClientSecret", "createdAt", "message": "OK", "version": "0.4"}`, the same point twice.
    /// - Errors: `404`.
    /// - Source: client-js 5 to 8; trust-sdk-android.
    func giveSecret(_ request: Request) throws -> Response {
        let text = request.parameter("ticket")
        guard let found = try find(text) else { throw RegistrationRefusal.ticketUnknown }
        guard found.ticket.expiresAt > now else {
            throw RegistrationRefusal.ticketExpired(found.ticket.expiresAt)
        }
        return try secretAnswer(found)
    }

    /// `GET /rps/v2/dta/clientSecret`: the second share for the classic client.
    ///
    /// - Request: the query that `params` beside the first share holds.
    /// - Response: as ``giveSecret(_:)``.
    /// - Errors: `408 REQUEST_EXPIRED`.
    /// - Source: Milagro MFA SDK core.
    func giveClassicSecret(_ request: Request) throws -> Response {
        guard let found = try find(request.queryItems["ticket"] ?? "") else {
            throw RegistrationRefusal.classicTicket(isExpired: false)
        }
        guard found.ticket.expiresAt > now else { throw RegistrationRefusal.classicTicket(isExpired: true) }
        return try secretAnswer(found)
    }

    private func find(_ text: String) throws -> (ticket: ShareTicket, identity: Identity)? {
        try database.read { db in
            guard let ticket = try db.first(ShareTicket.self, where: "ticket = \(text)"),
                let identity = try Identity.find(ticket.mpinID, in: db)
            else { return nil }
            return (ticket, identity)
        }
    }

    private func secretAnswer(_ found: (ticket: ShareTicket, identity: Identity)) throws -> Response {
        guard let project = try project(found.identity.projectID) else {
            throw RegistrationRefusal.ticketUnknown
        }
        let share = try project.masterSecret().clientSecret(
            found.ticket.share == 1 ? .first : .second, for: found.identity.offered.point()
        ).hex
        return .answer([
            "clientSecret": .string(share), "dvsClientSecret": .string(share),
            "createdAt": .integer(now.unixSeconds), "message": "OK", "version": "0.4",
        ])
    }

    /// A URL for a share.
    func makeTicket(
        _ share: MasterSecret.Share, for identity: Identity, in project: Project, _ turn: Turn
    ) throws -> ShareTicket {
        let ticket = ShareTicket(
            ticket: token(for: "ticket"), mpinID: identity.mpinID, share: share == .first ? 1 : 2,
            expiresAt: time(in: project.ticketSeconds))
        try turn.insert(ticket)
        return ticket
    }

    func url(of ticket: ShareTicket, _ request: Request) -> String {
        request.baseURL + "/rps/v2/secret/" + ticket.ticket
    }
}
