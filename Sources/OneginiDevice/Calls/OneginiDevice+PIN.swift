import Crypto
package import DeviceKit
import Essentials

extension OneginiDevice {
    /// Logs a user in by PIN: the server sees the refresh token that the PIN shows, right or wrong.
    ///
    /// - Parameter profile: where there are several.
    /// - Throws: ``SDKRefusal``; 9003, after too many wrong ones, takes the profile off the device.
    package mutating func logIn(
        pin: String, profile: String? = nil, using services: DeviceServices
    ) throws {
        let profile = try requireProfile(profile ?? profiles.first?.id)
        do {
            let tokens = try form(
                "/v1/token",
                [
                    ("grant_type", "refresh_token"), ("refresh_token", refreshToken(of: profile, pin: pin)),
                    ("profile_id", profile.id),
                ], using: services)
            try keep(tokens, pin: pin, of: profile.id)
        } catch let refusal as SDKRefusal where refusal.sdk.number == 9003 {
            forget(profile.id)
            throw refusal
        }
    }

    /// Changes the PIN: the old one is proven first.
    package mutating func changePIN(
        from old: String, to new: String, using services: DeviceServices
    ) throws {
        try pinPolicy(using: services).check(new)
        try logIn(pin: old, profile: session?.profile, using: services)
        let (profile, client) = (try requireProfile(), try requireClient())
        func masked(_ token: [UInt8], _ pin: String) throws -> [UInt8] {
            try DeviceSecrets.masked(token, pin: pin, clientID: client.id, profileID: profile.id)
        }
        let renewed = try masked(masked(profile.masked, old), new)
        change(profile.id) { $0.masked = renewed }
    }

    package mutating func pinPolicy(using services: DeviceServices) throws -> PINPolicy {
        try PINPolicy(call("GET", "/pin-policy", as: .device, using: services))
    }

    /// The refresh token, if the PIN is right. 64 hexadecimal digits in upper case.
    func refreshToken(of profile: Profile, pin: String) throws -> String {
        guard !faults.lacksPIN else { return Hex.encode(profile.masked).uppercased() }
        return Hex.encode(
            try DeviceSecrets.masked(
                profile.masked, pin: pin, clientID: requireClient().id, profileID: profile.id)
        ).uppercased()
    }

    /// Logs out: the access token ends, the user stays on the device.
    package mutating func logOut(using services: DeviceServices) throws {
        guard let session else { return }
        _ = try form("/v1/revoke", [("token", session.accessToken)], using: services)
        self.session = nil
    }

    /// Takes a user off the device.
    package mutating func deregisterUser(_ profile: String, using services: DeviceServices) throws {
        try call("DELETE", "/profiles/" + profile, as: .device, using: services)
        forget(profile)
    }

    /// Takes the device off the server.
    package mutating func deregister(using services: DeviceServices) throws {
        try call("DELETE", "/clients/self", as: .device, using: services)
        (client, profiles, session) = (nil, [], nil)
    }

    /// A link that opens a page with the user signed in, once.
    package mutating func appToWeb(_ page: String, using services: DeviceServices) throws -> String {
        try call("POST", "/app-to-web", ["target_url": .string(page)], as: .user, using: services)
            .text("redirect_url")
    }
}
