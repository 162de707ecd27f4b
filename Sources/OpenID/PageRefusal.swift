import HTTP
import PlatformKit

/// A refusal of the pages: nobody but the person at the browser hears of it.
struct PageRefusal: OAuthRefusal {
    let fault: PageFault
    /// Shown in the place of a bare explanation: the form once more, with what is wrong.
    var page: Page?
    /// Where a fresh form is.
    var retry: String?

    init(_ fault: PageFault, page: Page? = nil, retry: String? = nil) {
        (self.fault, self.page, self.retry) = (fault, page, retry)
    }

    var explanation: String { fault.explanation }
    var wire: OAuthWire { OAuthWire(fault.status, fault.code, fault.summary) }

    func response() throws -> Response {
        if let page { return page.response }
        var page = ErrorPage.make(fault.status, code: fault.code, fault.summary, explanation)
        if let retry { page.main = "\(page.main)\n<p><a href=\"\(retry)\">Once more</a></p>" }
        return page.response
    }
}
