import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// Ids in one request; more are refused.
    private static let removalLimit = 1000

    /// `DELETE /api/v4/users/{userId}/devices/{deviceId}`, and v3: disconnects the user from a device. Other users of the device
    /// and the device's credentials stay.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, also for a device that is unknown or another user's.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, device API v4.
    func removeUserDevice(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        try world.change { turn in
            _ = try disconnect(request.parameter("deviceId"), request, turn)
        }
        return .managementDone
    }

    /// `DELETE /api/v4/users/{userId}/devices`, and v3: disconnects the user from all devices.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, also when there was none.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, device API v4.
    func removeAllUserDevices(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        try world.change { turn in
            for device in try turn.db.devices(of: request.parameter("userId")) {
                _ = try disconnect(device.clientID, request, turn)
            }
        }
        return .managementDone
    }

    /// `POST /api/v4/users/{userId}/devices`, and v3: disconnects the user from some devices.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`; `{"delete":["id", …]}`, at most 1000.
    /// - Response: 204 when the user was on all of them.
    /// - Errors: 400 `invalid_request`; 401; 403 `insufficient_permissions`; 500 `not_all_devices_deleted` when the user was not on
    ///   some, while the others are removed.
    /// - Source: Token Server documentation, device API v4.
    func removeSomeUserDevices(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let input = try Members.management(request)
        let ids = try input.texts("delete", isRequired: true) ?? []
        if ids.count > Self.removalLimit {
            try input.fail("delete", "must have at most \(Self.removalLimit) elements, not \(ids.count)")
        }
        try input.check()
        try world.change { turn in
            let user = request.parameter("userId")
            var present = Set(try turn.db.devices(of: user).map(\.clientID))
            let left = ids.filter { present.remove($0) == nil }
            let disconnectAll = { (turn: Turn) in
                for id in ids { _ = try disconnect(id, request, turn) }
            }
            if left.isEmpty { return try disconnectAll(turn) }
            // The others are removed all the same.
            throw turn.kept(AdministrationRefusal.devicesLeft(left, of: user), disconnectAll)
        }
        return .managementDone
    }

    /// - Returns: whether the user was on the device.
    private func disconnect(_ deviceID: String, _ request: Request, _ turn: Turn) throws -> Bool {
        let user = request.parameter("userId")
        let isGone = try registry.disconnect(
            user: user, from: deviceID, because: "The end-user API disconnected “\(user)” from it.",
            in: turn.db)
        guard isGone else { return false }
        // Those without a profile too, such as of a stateless registration.
        try server.grants.end(
            .init(clientID: deviceID, subject: user), .userRemoved, at: server.now, in: turn.db)
        let application = try turn.db.device(deviceID)?.application
        try turn.insert(
            Event(
                .apiDeviceRemovedForOneProfile, clientID: deviceID, subject: user, application: application,
                request, services))
        return true
    }
}
