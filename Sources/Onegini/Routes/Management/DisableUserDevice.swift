import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /api/v4/users/{userId}/devices/{deviceId}/disableFingerprint`, and v3: ends logins by fingerprint.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, whatever there was.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, device API v4.
    func disableFingerprint(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, device) = (request.parameter("userId"), request.parameter("deviceId"))
        try world.change { turn in
            for grant in try server.grants.all(.init(clientID: device, subject: user), in: turn.db)
            where TokenType(of: grant) == .fingerprint {
                try server.grants.end(.init(grantID: grant.id), .revoked, at: turn.now, in: turn.db)
            }
        }
        return .managementDone
    }

    /// `POST /api/v4/users/{userId}/devices/{deviceId}/disableMobileAuthentication`, and v3: drops keys and push token; the device
    /// may enroll again.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, whatever there was.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, device API v4.
    func disableMobileAuthentication(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, device) = (request.parameter("userId"), request.parameter("deviceId"))
        try world.change { turn in
            let wasEnrolled = try registry.revokeMobileAuthentication(
                of: user, on: device, because: "The end-user API disabled mobile authentication.", in: turn.db
            )
            guard wasEnrolled else { return }
            try turn.insert(
                Event(
                    .apiAuthenticationAppAndUserClientKeysRemoved, clientID: device, subject: user,
                    application: turn.db.device(device)?.application, request, services))
        }
        return .managementDone
    }

    /// `POST /api/v4/users/{userId}/devices/{deviceId}/disablePushAuthentication`, and v3: drops the push token alone.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, whatever there was.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, device API v4.
    func disablePushAuthentication(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, device) = (request.parameter("userId"), request.parameter("deviceId"))
        try world.change { turn in
            for var enrollment in try turn.db.enrollments(of: user) where enrollment.clientID == device {
                enrollment.pushToken = nil
                try turn.update(enrollment, .pushToken)
            }
        }
        return .managementDone
    }
}
