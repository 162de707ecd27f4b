import HTTP
import OpenID
import PlatformKit
import SQLite

/// Versions of the mobile authentication API that answer.
enum PortalVersion: String, Sendable {
    case v2, v3, v4
}

extension Onegini {
    static let mobileAuthenticationScope = "onegini_api_mobile_authentication"

    /// Does what a portal asks, and spells refusals as the world's settings say. Feature and credentials are checked first.
    func portal(
        _ request: Request, _ version: PortalVersion = .v4,
        _ body: (MobileAuthenticationSettings, Client) throws -> Response
    ) throws -> Response {
        let settings = try mobileAuthentication()
        do {
            guard settings.isEnabled else { throw PortalError.disabled }
            let client = try requireAPIClient(
                request, scope: Self.mobileAuthenticationScope, denial: "insufficient_scope")
            if version != .v4 { try requireOldVersions(version) }
            return try body(settings, client)
        } catch let error as PortalError {
            throw PortalRefusal(error: error, shape: settings.errorShape)
        }
    }

    /// `GET` and `POST /authenticate/…`: version 1, without client authentication; not emulated.
    ///
    /// - Request: any.
    /// - Response: none.
    /// - Errors: 501 `not_emulated`.
    /// - Source: mobile authentication API v1, which the original answers only when it is enabled.
    func refuseVersion1(_: Request) throws -> Response {
        throw ManagementError.notEmulated(
            "mobile authentication API v1", instead: "/oauth/api/v4/authenticate/…, with an API client")
    }

    private func requireOldVersions(_ version: PortalVersion) throws {
        let mode = try database.read { try settings.enrollment(in: $0).pushMode }
        if mode == .multipleDevices { throw PortalError.versionTooOld(version.rawValue) }
    }
}
