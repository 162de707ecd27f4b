import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// A device of a user, as both versions of the API tell it.
    private struct UserDevice: Sendable {
        let device: Device
        let tokenTypes: [String]
        let isEnrolled: Bool
        let hasPush: Bool
    }

    /// `GET /api/v4/users/{userId}/devices`: devices on which the user is registered.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"devices":[{id, name, application, model?, platform, osVersion?, createdAt, lastLogin?, tokenTypes[],
    ///   mobileAuthenticationEnabled, pushAuthenticationEnabled}]}`, times in milliseconds since 1970.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No devices found`.
    /// - Source: Token Server documentation, device API v4.
    func listUserDevices(_ request: Request) throws -> Response {
        try answerUserDevices(request) { listed in
            var members: [String: JSONValue] = [
                "createdAt": .integer(listed.device.createdAt.unixMilliseconds),
                "tokenTypes": JSONValue(listed.tokenTypes),
                "mobileAuthenticationEnabled": .boolean(listed.isEnrolled),
                "pushAuthenticationEnabled": .boolean(listed.hasPush),
            ]
            members["model"] = listed.device.model.map(JSONValue.string)
            members["osVersion"] = listed.device.osVersion.map(JSONValue.string)
            members["lastLogin"] = (listed.device.lastLoginAt?.unixMilliseconds).map(JSONValue.integer)
            return members
        }
    }

    /// `GET /api/v3/users/{userId}/devices`: the same in the older version.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"devices":[{id, name, application, platform, created_at, last_login?, token_types[],
    ///   mobile_authentication_enabled, push_authentication_enabled}]}`.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No devices found`.
    /// - Source: Token Server documentation, device API v3.
    func listUserDevicesV3(_ request: Request) throws -> Response {
        try answerUserDevices(request) { listed in
            var members: [String: JSONValue] = [
                "created_at": .integer(listed.device.createdAt.unixMilliseconds),
                "token_types": JSONValue(listed.tokenTypes),
                "mobile_authentication_enabled": .boolean(listed.isEnrolled),
                "push_authentication_enabled": .boolean(listed.hasPush),
            ]
            members["last_login"] = (listed.device.lastLoginAt?.unixMilliseconds).map(JSONValue.integer)
            return members
        }
    }

    /// - Parameter members: what a version tells beside id, name, application and platform.
    private func answerUserDevices(
        _ request: Request, _ members: (UserDevice) -> [String: JSONValue]
    ) throws -> Response {
        let client = try access.requireEndUser(request)
        let user = request.parameter("userId")
        let found = try world.change { turn in
            let found = try turn.db.devices(of: user).map { try userDevice($0, of: user, in: turn.db) }
            let type: EventType = found.isEmpty ? .apiDevicesNoDataFound : .apiDevicesListed
            try turn.insert(Event(type, clientID: client.id, subject: user, request, services))
            return found
        }
        let listed = found.map { one -> JSONValue in
            .object(
                members(one).merging([
                    "id": .string(one.device.clientID), "name": .string(one.device.name),
                    "application": .string(one.device.application),
                    "platform": .string(one.device.platform.rawValue),
                ]) { kept, _ in kept })
        }
        return try .list("devices", listed, of: user, what: "devices")
    }

    private func userDevice(_ device: Device, of user: String, in db: Connection) throws -> UserDevice {
        let now = server.now
        let grants = try server.grants.all(.init(clientID: device.clientID, subject: user), in: db)
        let used = try grants.filter { grant in
            if grant.end != nil { return false }
            if try server.hasRefreshToken(grant, at: now, in: db) { return true }
            return try server.accessTokens.ofGrant(grant.id, in: db).contains { $0.isAlive(at: now) }
        }
        let enrolled = try db.enrollments(of: user).filter { $0.clientID == device.clientID }
        return UserDevice(
            device: device, tokenTypes: Set(used.map { TokenType(of: $0).rawValue }).sorted(),
            isEnrolled: !enrolled.isEmpty, hasPush: enrolled.contains { $0.pushToken != nil })
    }
}
