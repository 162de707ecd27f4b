import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Seconds that a user has to type the code, and seconds between two polls. Source: RFC 8628 §3.2.
    private static let deviceSeconds = (lifetime: 600, interval: 5)
    /// How many devices wait at a time in one world; the oldest give way.
    private static let waitingDevices: Int = 10_000

    /// `POST /device_authorization`: begins the flow of a device without a browser.
    ///
    /// - Request: a form with `scope` and `resource`; the client proves who it is as at the token endpoint.
    /// - Response: `200 {"device_code": …, "user_code": "WDJB-MJHT", "verification_uri": …, "verification_uri_complete": …,
    ///   "expires_in": 600, "interval": 5}`.
    /// - Errors: ``TokenRefusal``.
    /// - Source: RFC 8628 §3.1, §3.2.
    func authorizeDevice(_ request: Request) throws -> Response {
        let call = try clientCall(request)
        return try audited(request, clientID: call.client.id) {
            if call.form["authorization_details"] != nil { throw TokenRefusal.authorizationDetails }
            guard call.client.may(GrantType.deviceCode) else {
                throw TokenRefusal.grantTypeNotAllowed(
                    GrantType.deviceCode, clientID: call.client.id, allowed: call.client.grantTypes)
            }
            let deviceCode = handle(for: "device_code")
            let issuer = try issuer(request)
            let userCode = try world.change { turn in
                try keepDevice(deviceCode, issuer, call, in: turn.db)
            }
            return try .oauth(deviceAnswer(deviceCode, UserCode.shown(userCode), request))
        }
    }

    private func deviceAnswer(_ deviceCode: String, _ userCode: String, _ request: Request) throws
        -> JSONValue
    {
        let page = try pageBase(request) + (profile.paths.deviceVerification.first ?? "")
        return [
            "device_code": .string(deviceCode), "user_code": .string(userCode),
            "verification_uri": .string(page),
            "verification_uri_complete": .string(page + "?user_code=" + userCode),
            "expires_in": .integer(Self.deviceSeconds.lifetime),
            "interval": .integer(Self.deviceSeconds.interval),
        ]
    }

    /// - Returns: the user code.
    private func keepDevice(
        _ deviceCode: String, _ issuer: String, _ call: ClientCall, in db: Connection
    ) throws -> String {
        let userCode = try freeUserCode(in: db)
        let device = try DeviceRequest(
            digest: Handle.digest(deviceCode), userCode: userCode, clientID: call.client.id,
            scope: scope(of: call, in: db), audience: audience(of: call), issuer: issuer,
            interval: Self.deviceSeconds.interval,
            expiresAt: call.now + Double(Self.deviceSeconds.lifetime))
        try deviceRequests.insert(device, in: db)
        for subject in device.subjects { services.journal.concern(subject) }
        // An hour in which a late device is told that it is late.
        try deviceRequests.tidy(before: call.now - 3600, keeping: Self.waitingDevices, in: db)
        return userCode
    }

    private func freeUserCode(in db: Connection) throws -> String {
        for _ in 1...20 {
            guard let code = UserCode.make(from: bytes(32, for: "user_code")) else { continue }
            if try deviceRequests.find(userCode: code, in: db) == nil { return code }
        }
        throw DeviceRefusal.codesExhausted
    }
}
