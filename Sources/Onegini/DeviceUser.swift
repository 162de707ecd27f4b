import HTTP
import OpenID

/// The proof that a request comes from a user on a registered device.
struct DeviceUser: Sendable {
    let client: Client
    let device: Device
    let token: AccessToken
    /// The profile that the token was issued for.
    let profile: Profile
}

extension Onegini {
    /// The user and device behind the request's access token.
    ///
    /// - Throws: the first three refusals of the device protocol: `invalid_token` 9010, `invalid_client` 9002 for a device that is
    ///   gone, `user_deregistered` 9003 for a profile that is gone.
    func requireDeviceUser(_ request: Request) throws -> DeviceUser { throw NotBuilt() }
}

struct NotBuilt: Error {}
