import Essentials
import HTTP
import PlatformKit
import SQLite

/// Which server this is taken for, unless the setting `server_generation` says otherwise. Source: the vendor's documentation of server and
/// SDKs, which belong together by their versions; the version is the newest whose protocol is 3.3, and the test suites of all three
/// generations of SDKs take it.
struct EmulatedServer: Sendable {
    static let version = PowerAuthSettings.firstVersion
    /// What the paths of protocol 4 say, and with the setting all: the first version that has it.
    static let nextVersion = PowerAuthSettings.secondVersion

    let name: String
    let displayName: String

    static let server = EmulatedServer(
        name: "powerauth-server", displayName: "PowerAuth Server, emulated by Understudy")
    static let cloud = EmulatedServer(
        name: "powerauth-cloud", displayName: "PowerAuth Cloud, emulated by Understudy")
    static let enrollment = EmulatedServer(
        name: "enrollment-server", displayName: "Enrollment Server, emulated by Understudy")

    static let push = EmulatedServer(
        name: "powerauth-push", displayName: "PowerAuth Push Server, emulated by Understudy")

    func members(_ version: String) -> [String: JSONValue] {
        [
            "applicationName": .string(name), "applicationDisplayName": .string(displayName),
            "applicationEnvironment": "", "version": .string(version),
        ]
    }
}

/// Source of all: published behaviour of the components.
extension PowerAuth {
    /// `GET /api/service/status` below `/powerauth-java-server`: which server answers.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"status":"OK","responseObject":{"applicationName","applicationDisplayName","applicationEnvironment",
    ///   "version","timestamp"}}`.
    /// - Errors: none.
    /// - Source: published behaviour of the PowerAuth Server.
    func showManagementService(_ request: Request) throws -> Response { try serviceStatus(.server) }

    /// `GET /api/service/status` below `/powerauth-cloud`: which server answers.
    ///
    /// - Request: nothing.
    /// - Response: as ``showManagementService(_:)``.
    /// - Errors: none.
    /// - Source: *assumed*, as the components below it.
    func showCloudService(_ request: Request) throws -> Response { try serviceStatus(.cloud) }

    /// `GET /api/service/status` below `/enrollment-server`: which server answers.
    ///
    /// - Request: nothing.
    /// - Response: as ``showManagementService(_:)``.
    /// - Errors: none.
    /// - Source: published behaviour of the enrollment server.
    func showEnrollmentService(_ request: Request) throws -> Response { try serviceStatus(.enrollment) }

    /// `GET /push/service/status` below `/powerauth-push-server`: which server answers.
    ///
    /// - Request: nothing.
    /// - Response: as ``showManagementService(_:)``.
    /// - Errors: none.
    /// - Source: documentation of the PowerAuth Push Server, “Service status”.
    func showPushService(_ request: Request) throws -> Response { try serviceStatus(.push) }

    /// What the setting says.
    func serverVersion() throws -> String {
        try database.read { try world.settings(in: $0).serverVersion }
    }

    private func serviceStatus(_ server: EmulatedServer) throws -> Response {
        var members = server.members(try serverVersion())
        members["timestamp"] = services.clock.now().managementTime
        return .management(members)
    }
}

extension PowerAuth {
    /// `POST /pa/v3/status`: the server's time, by which devices set their clocks.
    ///
    /// - Request: anything, also nothing.
    /// - Response: `200 {"status":"OK","responseObject":{"serverTime":ms,"application":{"name","version"}}}`.
    /// - Errors: none.
    /// - Source: PowerAuth documentation, “Server status”; the name is ours.
    func serverStatus(_ request: Request) throws -> Response {
        .powerAuth(responseObject: [
            "serverTime": .integer(services.clock.now().unixMilliseconds),
            "application": ["name": "understudy", "version": .string(try serverVersion())],
        ])
    }
}
