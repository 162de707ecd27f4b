import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /pushauth`: begins a login, and calls the user's device instead of waiting for a scan.
    ///
    /// - Request: an OpenID Connect authorization request in the query, and `{"prerollId"}`, the user.
    /// - Response: `200 {"webOTT", "accessId", "accessURL", "qrURL"}`; the push is in the outbox.
    /// - Errors: as ``startAuthorization(_:)``; `400 NO_PUSH_TOKEN`.
    /// - Source: client-js 5 to 8; trust-sdk-android for what an app reads of the push.
    func startPush(_ request: Request) throws -> Response {
        let (form, members) = try authorizationInput(request)
        let (asked, project) = try sessions.requireAuthorization(form, at: request)
        let userID =
            try members.optionalText("prerollId") ?? form.text("prerollid") ?? members.text("prerollId")
        let device = try sessions.requirePushDevice(of: userID, in: project)
        var session = sessions.makeSession(in: project, request)
        (session.authorization, session.prerollID) = (asked, userID)
        try sessions.open(session, calling: device, in: project, request)
        return sessions.answer(session, request)
    }
}
