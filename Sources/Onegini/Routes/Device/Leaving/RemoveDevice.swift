import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `DELETE /sdk/v1/clients/self`: deregisters the device, with everybody on it and its credentials.
    ///
    /// - Request: the device's credentials.
    /// - Response: 204.
    /// - Errors: 401 `invalid_client`, with 9002 from the second time on.
    /// - Source: the device protocol.
    func removeDevice(_ request: Request) throws -> Response {
        let device = try authentication.requireDevice(request)
        try world.change { turn in
            try registry.removeDevice(
                device.client.id, because: "The device deregistered itself.", in: turn.db)
            turn.note(
                "device deregistered", about: device.client.id,
                "The device “\(device.device.name)” deregistered itself; its credentials are no longer valid."
            )
        }
        return .noContent
    }
}
