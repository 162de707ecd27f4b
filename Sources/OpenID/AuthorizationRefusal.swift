import HTTP
import PlatformKit

/// A refusal of the authorization endpoint and of the pages behind it.
struct AuthorizationRefusal: OAuthRefusal {
    let fault: AuthorizationFault
    /// Nil when a page has to tell it.
    let target: AuthorizationTarget?

    init(_ fault: AuthorizationFault, _ target: AuthorizationTarget? = nil) {
        (self.fault, self.target) = (fault, target)
    }

    var explanation: String { fault.explanation }

    var wire: OAuthWire { OAuthWire(fault.status, fault.code, fault.summary) }

    func response() throws -> Response {
        if let page = fault.page { return .seeOther(page) }
        guard let target else {
            return ErrorPage.make(fault.status, code: fault.code, fault.summary, explanation).response
        }
        var response = target.response([("error", fault.code), ("error_description", fault.summary)])
        if target.mode == .formPost { response.errorInBody = fault.code }
        return response
    }
}
