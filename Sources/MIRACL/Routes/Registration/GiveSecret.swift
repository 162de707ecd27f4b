import HTTP
import PlatformKit

extension MIRACL {
    /// `GET /rps/v2/secret/{ticket}`: a share of the client's secret, at a URL that nobody can guess.
    ///
    /// - Request: nothing. May be repeated while the URL is good.
    /// - Response: `200 {"clientSecret", "dvsClientSecret", "createdAt", "message": "OK", "version": "0.4"}`, the same point twice.
    /// - Errors: `404`.
    /// - Source: client-js 5 to 8; trust-sdk-android.
    func giveSecret(_ request: Request) throws -> Response {
        let text = request.parameter("ticket")
        guard let found = try shares.find(text) else { throw RegistrationRefusal.ticketUnknown }
        guard found.ticket.expiresAt > now else {
            throw RegistrationRefusal.ticketExpired(found.ticket.expiresAt)
        }
        return try shares.secret(found)
    }

    /// `GET /rps/v2/dta/clientSecret`: the second share for the classic client.
    ///
    /// - Request: the query that `params` beside the first share holds.
    /// - Response: as ``giveSecret(_:)``.
    /// - Errors: `408 REQUEST_EXPIRED`.
    /// - Source: Milagro MFA SDK core.
    func giveClassicSecret(_ request: Request) throws -> Response {
        guard let found = try shares.find(request.queryItems["ticket"] ?? "") else {
            throw RegistrationRefusal.classicTicket(isExpired: false)
        }
        guard found.ticket.expiresAt > now else { throw RegistrationRefusal.classicTicket(isExpired: true) }
        return try shares.secret(found)
    }
}
