import HTTP
import OpenID
import PlatformKit
import SQLite

/// Versions of the mobile authentication API that answer.
enum PortalVersion: String, Sendable {
    case v1, v2, v3, v4
}

extension Onegini {
    static let mobileAuthenticationScope = "onegini_api_mobile_authentication"

    /// Does what a portal asks, and spells refusals as the world's settings say. Feature and credentials are checked first; in v1
    /// there are none, and the body gets no client.
    ///
    /// Source: mobile authentication API v1, which answers only where it is enabled.
    func portal(
        _ request: Request, _ version: PortalVersion = .v4,
        _ body: (MobileAuthenticationSettings, Client?) throws -> Response
    ) throws -> Response {
        let settings = try mobileAuthentication()
        do {
            guard settings.isEnabled else { throw PortalFault.disabled }
            if version == .v1, !settings.answersVersion1 { throw PortalFault.version1Off }
            let client =
                version == .v1
                ? nil
                : try requireAPIClient(
                    request, scope: Self.mobileAuthenticationScope, denial: "insufficient_scope")
            if version != .v4 { try requireOldVersions(version) }
            return try body(settings, client)
        } catch let fault as PortalFault {
            throw PortalRefusal(fault: fault, shape: settings.errorShape)
        }
    }

    private func requireOldVersions(_ version: PortalVersion) throws {
        let mode = try database.read { try EnrollmentSettings.current(in: $0).pushMode }
        if mode == .multipleDevices { throw PortalFault.versionTooOld(version.rawValue) }
    }
}
