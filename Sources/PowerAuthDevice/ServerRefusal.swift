package import DeviceKit
package import Essentials

/// The server's answer is anything but the success that the call promises: status 200 and, where there is one, an envelope that
/// says `OK`.
package struct ServerRefusal: Error, Equatable {
    /// The HTTP status.
    package let status: Int
    /// `code` of the error's object, such as `ERR_AUTHENTICATION`.
    package let code: String?
    /// `message` of the error's object, such as `POWER_AUTH_SIGNATURE_INVALID`.
    package let message: String?
    /// The whole `responseObject`, with members that single errors have beside the two.
    package let details: JSONValue?

    package init(_ response: DeviceResponse) {
        // A refusal may have a body that is no JSON: then it has no code.
        let object = (try? JSONValue(parsing: response.body))?["responseObject"]
        status = response.status
        code = object?["code"]?.string
        message = object?["message"]?.string
        details = object
    }
}
