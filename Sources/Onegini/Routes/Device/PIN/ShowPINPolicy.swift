import HTTP
import OpenID
import SQLite

extension Onegini {
    /// `GET /sdk/v1/pin-policy`: what PINs must look like.
    ///
    /// - Request: the device's credentials.
    /// - Response: `200 {"pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false, "blocked_pins": […]}`.
    /// - Errors: 401 `invalid_client`.
    /// - Source: the device protocol.
    func showPINPolicy(_ request: Request) throws -> Response {
        let device = try requireDevice(request).device
        return .oauth(try database.read { db in try db.application(of: device).pinPolicy.json })
    }
}
