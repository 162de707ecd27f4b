package import Essentials

/// The server said no: what it answered, and as what the vendor's SDK reports that to the app.
package struct SDKRefusal: Error, Equatable, Sendable {
    /// An error as the app sees it.
    package struct SDKError: Equatable, Sendable {
        /// As the SDK spells it: `INCORRECT_PIN`.
        package let name: String
        /// Nil in SDKs whose errors are types.
        package let number: Int?

        package init(_ name: String, _ number: Int? = nil) { (self.name, self.number) = (name, number) }
    }

    package let sdk: SDKError
    /// The HTTP status; 0 where the device asked nobody.
    package let status: Int
    /// The machine's word in the answer, such as `REVOKED_MPINID`; nil where there is none.
    package let code: String?
    /// The whole answer where it is JSON.
    package let body: JSONValue?

    package init(_ sdk: SDKError, _ response: DeviceResponse, code: String?) {
        (self.sdk, status, self.code) = (sdk, response.status, code)
        body = response.json
    }

    /// A refusal by the SDK itself, which asks no server.
    package init(local sdk: SDKError) { (self.sdk, status, code, body) = (sdk, 0, nil, nil) }
}

extension DeviceResponse {
    /// Nil for a body that is no JSON, as that of some refusals.
    package var json: JSONValue? { try? JSONValue(parsing: body) }
}

/// Why a software device stopped: what the server answered does not hold, or the device is not in a state for the call.
package struct DeviceError: Error, Equatable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
