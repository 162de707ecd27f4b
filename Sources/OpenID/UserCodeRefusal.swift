/// A user code that leads to no device, answered as JSON: `invalid_request`, `already_authorized`, `expired_token`, `slow_down`.
package struct UserCodeRefusal: OAuthRefusal {
    let fault: PageFault

    init(_ fault: PageFault) { self.fault = fault }

    package var explanation: String { fault.explanation }
    package var wire: OAuthWire { OAuthWire(fault.status, fault.code, fault.summary) }
}
