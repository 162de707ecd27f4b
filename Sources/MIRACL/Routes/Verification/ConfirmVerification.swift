import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /verification/confirmation`: where the link of the mail leads.
    ///
    /// - Request: the query `code` and `user_id`.
    /// - Response: `200` with a page whose one button confirms: looking at the link spends nothing.
    /// - Errors: `400` with a page for a link that is not whole.
    /// - Source: trust-sdk-android, integration tests, for the link; the page is ours.
    func showConfirmation(_ request: Request) throws -> Response {
        let form = request.queryItems
        let (code, userID) = (try form.required("code"), try form.required("user_id"))
        return ConfirmationPage.question(
            code: code, userID: userID, action: request.mount + "/verification/confirmation"
        )
        .response
    }

    /// `POST /verification/confirmation`: an app, or the page of the link, brings the code.
    ///
    /// - Request: `{"userId", "code", "deviceTag"?, "clientId"?, "redirectUri"?, "state"?, "stage"?}`; from the page, `user_id` and `code`
    ///   as a form. Codes of links and mails, of a back end's links, quick codes, and the digits of a proof with scope `reg-code`.
    /// - Response: `200 {"projectId", "actToken", "accessId", "expireTime", "state"?, "nonce"?}`; to the page, a page. The registration of
    ///   the first generation that the code was sent for is verified.
    /// - Errors: `400 UNSUCCESSFUL_VERIFICATION` with `context.projectId` and `context.accessId`. Five wrong codes spend those that the
    ///   user was sent.
    /// - Source: client-js 6 and 8; trust-sdk-android. *Assumed*: a code is good once.
    func confirmVerification(_ request: Request) throws -> Response {
        let isPage = request.isFormOfPage
        let (userID, text): (String, String)
        if isPage {
            (userID, text) = (try request.form.required("user_id"), try request.form.required("code"))
        } else {
            let input = try Members(request)
            (userID, text) = (try input.text("userId"), try input.text("code"))
        }
        let confirmed = try verifications.confirm(text, of: userID, isPage: isPage, request)
        if isPage {
            return ConfirmationPage.confirmed(
                userID: userID, activationToken: confirmed.identity == nil ? confirmed.token.text : nil
            ).response
        }
        return .answer(confirmed.members)
    }

}

extension Request {
    /// Whether the body is a form, and not JSON, whatever the client calls it.
    fileprivate var isFormOfPage: Bool {
        if headers["Content-Type"]?.asciiLowercased.hasPrefix("application/json") ?? false { return false }
        guard let first = body.first(where: { $0 > 0x20 }) else { return false }
        return !"{[\"".utf8.contains(first)
    }
}

extension Form {
    /// - Throws: ``VerificationRefusal/linkIncomplete(_:)``.
    fileprivate func required(_ name: String) throws -> String {
        guard let text = text(name) else { throw VerificationRefusal.linkIncomplete(name) }
        return text
    }
}
