import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /thirdparty/auth`: sends the browser to a provider.
    ///
    /// - Request: `provider`, as clients name it, and `redirect_to`, which must be among the allowed URLs.
    /// - Response: `307` to the provider with `state`, and the cookie `hanko_thirdparty_state`.
    /// - Errors: every one is a `307` to the `Referer`, or else to `error_redirect_url`, with `error` and `error_description`;
    ///   400 where neither is there.
    /// - Source: Hanko 2.7, classic API.
    func startThirdParty(_ request: Request) throws -> Response {
        do {
            let (query, desk) = (Form(request.query ?? ""), try thirdPartyDesk())
            let order = try desk.order(
                provider: query["provider"], redirectTo: query["redirect_to"], request)
            let page = try desk.page(of: order, request)
            let (url, state) = try world.change { try desk.start(order, page: page, in: $0.db) }
            var response = Self.thirdPartyRedirect(url)
            response.headers.add("Set-Cookie", desk.cookie(state, isFlow: false))
            return response
        } catch let fault as ThirdPartyRefusal {
            return try endThirdParty(fault, request, redirectTo: nil)
        }
    }

    /// Sends the browser away with the error.
    ///
    /// - Parameter redirectTo: where the client wants to hear it, when that is known already.
    func endThirdParty(_ fault: ThirdPartyRefusal, _ request: Request, redirectTo: String?) throws -> Response
    {
        // It may have failed at the provider, outside of any turn.
        let announcer = try announcer(request)
        try world.change { turn in
            turn.note("third-party sign-in refused", fault.explanation)
            try announcer.audit(.thirdPartyFailed, error: fault.code, in: turn)
        }
        let place =
            try redirectTo ?? request.headers["Referer"] ?? configuration().thirdParty.errorRedirectURL
        guard let place, place.hasPrefix("http://") || place.hasPrefix("https://") else {
            throw fault.answer
        }
        var members = [(name: "error", value: fault.code)]
        if !fault.description.isEmpty { members.append(("error_description", fault.description)) }
        let error = Form.encode(members)
        return Self.thirdPartyRedirect(place + (place.contains("?") ? "&" : "?") + error)
    }

    static func thirdPartyRedirect(_ url: String, status: Status = .temporaryRedirect) -> Response {
        Response(status: status, headers: ["Location": url])
    }
}
