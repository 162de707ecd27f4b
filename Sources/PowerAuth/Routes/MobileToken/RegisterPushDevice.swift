import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /api/push/device/register`, also at `…/register/token`: where pushes of this activation go from now on.
    ///
    /// - Request: `{"requestObject": {"platform": "apns", "fcm" or "hms", "token", "environment"?: "development" or
    ///   "production"}}`, with a MAC token; older SDKs say `ios`, `android`, `huawei`.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`; 400 `INVALID_REQUEST`.
    /// - Source: Mobile Token documentation, “Push registration”.
    func registerPushDevice(_ request: Request) throws -> Response {
        try change { turn in
            try withDevice(request, refusingAs: .deviceUnverified, in: turn) { device in
                let input = try Members(ofDevice: request)
                let platform = try input.filledText("platform")
                guard let service = PushDevice.Service(named: platform) else {
                    throw TokenAPIRefusal(
                        .requestInvalid,
                        "The platform is “\(platform.prefix(40))”, expected apns, fcm or hms.")
                }
                try PushDevice(
                    activation: device.activation.id, service: service,
                    token: try input.filledText("token"), environment: try environment(input),
                    registeredAt: turn.now
                ).register(in: turn)
            }
        }
        return .powerAuth()
    }

    private func environment(_ input: Members) throws -> PushDevice.Environment? {
        guard let value = input["environment"] else { return nil }
        guard let environment = value.string.flatMap(PushDevice.Environment.init(rawValue:)) else {
            throw TokenAPIRefusal(
                .requestInvalid,
                "The environment is \(value.text.prefix(40)), expected development or production.")
        }
        return environment
    }
}
