import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

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
        let members = try members(request)
        return try auditing(request, clientID: device.client.id, application: device.device.application) {
            let version = try members.text("app_version")
            if let platform = try members.optionalText("app_platform"),
                platform != device.device.platform.rawValue
            {
                throw DeviceCallRefusal.requestInvalid(
                    "The device registered as \(device.device.platform.rawValue) and says that it is \"\(platform.prefix(20))\".",
                    sdkCode: 10015)
            }
            let osVersion = try members.optionalText("os_version")
            let (application, state) = try world.change { turn in
                let application = try validate(
                    device, version: version, osVersion: osVersion, request, turn)
                return (application, try standing(of: device.client.id, turn))
            }
            return .oauth([
                "status": "valid", "removed_profiles": state.removed, "profiles": state.profiles,
                "config": try deviceConfiguration(of: application),
            ])
        }
    }

    /// A refusal of the credentials is an event of its own.
    private func validatedDevice(_ request: Request) throws -> DeviceClient {
        do {
            return try requireDevice(request)
        } catch let refusal as any OAuthRefusal where refusal.wire.error == "invalid_client" {
            let event = Event(
                .clientValidationInvalidClient,
                clientID: request.claimedClientID.map { String($0.prefix(100)) },
                request, services)
            try world.change { turn in try turn.insert(event) }
            throw refusal
        }
    }

    private func validate(
        _ device: DeviceClient, version: String, osVersion: String?, _ request: Request, _ turn: Turn
    ) throws -> ApplicationSettings {
        var (client, device) = (device.client, device.device)
        let name = "\(device.application) \(version.prefix(40)) on \(device.platform.rawValue)"
        guard let application = try turn.db.application(device.application),
            let configured = application.version(version, on: device.platform.rawValue),
            configured.status != .disabled
        else { throw DeviceRegistrationRefusal.versionDisabled(name) }
        if let fault = configured.fault(ofOSVersion: osVersion ?? device.osVersion) {
            throw DeviceRegistrationRefusal.osVersionBlocked(fault: fault, isValidation: true)
        }
        if version != device.version {
            client.metadata.softwareVersion = version
            try server.clients.update(client, in: turn.db)
        }
        device.version = version
        device.osVersion = osVersion ?? device.osVersion
        try turn.update(device, .version, .osVersion)
        try turn.insert(
            Event(
                .clientValidationSuccess, clientID: client.id, application: application.identifier, request,
                services))
        return application
    }

    /// What stands on the device by the server's knowledge. From here on the device knows it too.
    private func standing(
        of clientID: String, _ turn: Turn
    ) throws -> (removed: JSONValue, profiles: JSONValue) {
        let removed = try turn.db.removedProfiles(on: clientID)
        for profile in removed { try turn.delete(profile) }
        let profiles = try turn.db.profiles(on: clientID).map { profile -> JSONValue in
            let enrollment = try turn.db.enrollment(of: profile.id, on: clientID)
            return [
                "profile_id": .string(profile.id), "mobile_auth_enrolled": .boolean(enrollment != nil),
                "push_enrolled": .boolean(enrollment?.pushToken != nil),
            ]
        }
        return (JSONValue(removed.map(\.id)), .array(profiles))
    }
}
