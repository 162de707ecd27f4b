import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/clients/validate`: what an app asks each time it starts.
    ///
    /// - Request: the device's credentials, and `{"app_version", "app_platform"?, "os_version"?}`. A version that differs and is
    ///   known is the device's from now on.
    /// - Response: `200 {"status": "valid", "removed_profiles", "profiles", "config"}`; removed profiles are told once.
    /// - Errors: 401 `invalid_client`, with 9002 when the device existed once; 403 `version_disabled` 9004; 403
    ///   `os_version_blocked` 9005; 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func validateDevice(_ request: Request) throws -> Response {
        let device = try validatedDevice(request)
        let members = try Members(ofDevice: request)
        return try audit.auditing(request, clientID: device.client.id, application: device.device.application)
        {
            let (application, standing) = try registration.validate(device, members, request)
            return .oauth([
                "status": "valid", "removed_profiles": standing.removed, "profiles": standing.profiles,
                "config": try registration.configuration(of: application),
            ])
        }
    }

    /// A refusal of the credentials is an event of its own.
    private func validatedDevice(_ request: Request) throws -> DeviceClient {
        do {
            return try authentication.requireDevice(request)
        } catch let refusal as any OAuthRefusal where refusal.wire.error == "invalid_client" {
            try audit.note(
                Event(
                    .clientValidationInvalidClient,
                    clientID: request.claimedClientID.map { String($0.prefix(100)) }, request, services))
            throw refusal
        }
    }
}
