import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What an app asks each time it starts.
extension DeviceRegistration {
    /// A version that differs and is known is the device's from now on.
    ///
    /// - Parameter input: `{"app_version", "app_platform"?, "os_version"?}`.
    /// - Throws: ``DeviceRegistrationRefusal`` for a version that may not be used; ``DeviceCallRefusal`` for a body that is none.
    func validate(
        _ device: DeviceClient, _ input: Members, _ request: Request
    ) throws -> (application: ApplicationSettings, standing: DeviceStanding) {
        let version = try input.text("app_version")
        if let platform = try input.optionalText("app_platform"), platform != device.device.platform.rawValue
        {
            throw DeviceCallRefusal.requestInvalid(
                "The device registered as \(device.device.platform.rawValue) and says that it is “\(platform.prefix(20))”.",
                sdkCode: 10015)
        }
        let osVersion = try input.optionalText("os_version")
        return try registry.world.change { turn in
            let application = try validate(device, version: version, osVersion: osVersion, request, turn)
            return (application, try standing(of: device.client.id, turn))
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
            try registry.server.clients.update(client, in: turn.db)
        }
        device.version = version
        device.osVersion = osVersion ?? device.osVersion
        try turn.update(device, .version, .osVersion)
        try turn.insert(
            Event(
                .clientValidationSuccess, clientID: client.id, application: application.identifier, request,
                registry.services))
        return application
    }

    /// What stands on the device by the server's knowledge. From here on the device knows it too.
    private func standing(of clientID: String, _ turn: Turn) throws -> DeviceStanding {
        let removed = try turn.db.removedProfiles(on: clientID)
        for profile in removed { try turn.delete(profile) }
        let profiles = try turn.db.profiles(on: clientID).map { profile -> JSONValue in
            let enrollment = try turn.db.enrollment(of: profile.id, on: clientID)
            return [
                "profile_id": .string(profile.id), "mobile_auth_enrolled": .boolean(enrollment != nil),
                "push_enrolled": .boolean(enrollment?.pushToken != nil),
            ]
        }
        return DeviceStanding(removed: JSONValue(removed.map(\.id)), profiles: .array(profiles))
    }
}

/// What the server knows of the profiles of a device, as the wire has it.
struct DeviceStanding: Sendable {
    let removed: JSONValue
    let profiles: JSONValue
}
