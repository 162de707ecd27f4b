import HTTP
import OpenID
import PlatformKit
import SQLite

/// Versions of the mobile authentication API that answer.
enum PortalVersion: String, Sendable {
    case v1, v2, v3, v4
}

/// What portals call: feature and credentials are checked first, and refusals are spelt as the world's settings say.
struct Portal: Sendable {
    static let scope = "onegini_api_mobile_authentication"

    let access: APIAccess
    let registry: DeviceRegistry

    init(_ access: APIAccess, _ registry: DeviceRegistry) {
        (self.access, self.registry) = (access, registry)
    }

    /// Does what a portal asks. In v1 there are no credentials, and the body gets no client.
    ///
    /// Source: mobile authentication API v1, which answers only where it is enabled.
    func answer(
        _ request: Request, _ version: PortalVersion = .v4,
        _ body: (MobileTransactions, Client?) throws -> Response
    ) throws -> Response {
        let settings = try registry.world.mobileAuthentication()
        do {
            guard settings.isEnabled else { throw PortalFault.disabled }
            if version == .v1, !settings.answersVersion1 { throw PortalFault.version1Off }
            let client =
                version == .v1
                ? nil : try access.require(request, scope: Self.scope, denial: "insufficient_scope")
            if version != .v4 { try requireOldVersions(version) }
            return try body(MobileTransactions(registry, settings), client)
        } catch let fault as PortalFault {
            throw PortalRefusal(fault: fault, shape: settings.errorShape)
        }
    }

    private func requireOldVersions(_ version: PortalVersion) throws {
        let mode = try registry.world.database.read { try EnrollmentSettings.current(in: $0).pushMode }
        if mode == .multipleDevices { throw PortalFault.versionTooOld(version.rawValue) }
    }
}
