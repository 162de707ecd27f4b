import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/pin-policy/validate`: whether a PIN is allowed. For the convenience mode: the PIN leaves the device.
    ///
    /// - Request: the device's credentials, and `{"pin"}`.
    /// - Response: 204.
    /// - Errors: 422 `pin_blocked` 9011, `pin_sequence` 9012, `pin_similar_digits` 9013, `pin_length` 9014; 404 `not_found` 10015
    ///   when PINs may not be sent; 400 `invalid_request` 10015; 401 `invalid_client`.
    /// - Source: the device protocol.
    func checkPIN(_ request: Request) throws -> Response {
        let device = try authentication.requireDevice(request).device
        try pins.check(Members(ofDevice: request).text("pin"), on: device)
        return .noContent
    }

    /// `GET /sdk/v1/pin-policy`: what PINs must look like.
    ///
    /// - Request: the device's credentials.
    /// - Response: `200 {"pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false, "blocked_pins": […]}`.
    /// - Errors: 401 `invalid_client`.
    /// - Source: the device protocol.
    func showPINPolicy(_ request: Request) throws -> Response {
        let device = try authentication.requireDevice(request).device
        return .oauth(try database.read { db in try db.application(of: device).pinPolicy.json })
    }
}
