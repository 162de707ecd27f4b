import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET /device_authorization/verification`: where a user types the code that a device shows, and then says yes or no.
    ///
    /// - Request: query `user_code` for a form that is filled in; `interaction` once the code is known.
    /// - Response: `200`, HTML; `303` to the login page when nobody is logged in.
    /// - Errors: a page with `400` when the conversation is over, or the code is.
    /// - Source: RFC 8628 §3.3.
    func showDeviceVerification(_ request: Request) throws -> Response {
        let query = request.queryItems
        guard let handle = query["interaction"] else {
            return userCodePage(query["user_code"] ?? "", request).response
        }
        let opened = try open(handle, [.device], request)
        let device = try waitingDevice(opened)
        let found = try database.read { db -> (BrowserSession, User?, Client?, [Scope])? in
            guard let session = try session(request, in: db) else { return nil }
            return (
                session, try users.find(session.subject, in: db), try clients.find(device.clientID, in: db),
                try scopes.known(in: db)
            )
        }
        guard let (_, user, client, known) = found else {
            return .seeOther(address(profile.paths.login, opened.handle, request))
        }
        return opened.response(
            DevicePage(
                code: device.userCode, client: client, user: user,
                scopes: ConsentPage.described(device.scope.names, known),
                action: target(profile.paths.deviceVerification, request),
                fields: opened.fields
            ).page)
    }

    /// `POST /device_authorization/verification`: both forms of that page.
    ///
    /// - Request: form `user_code`; or `interaction`, `csrf`, `decision` `allow` or `deny`.
    /// - Response: `303` to the second form; `200`, HTML, when all is said.
    /// - Errors: the page again with `400` for a wrong code, `429` after five of them from one address within a minute.
    /// - Source: RFC 8628 §3.3, §5.1, §5.4.
    func submitDeviceVerification(_ request: Request) throws -> Response {
        let form = try boundedForm(request)
        if form["interaction"] != nil { return try decideDevice(form, request) }
        let typed = form["user_code"] ?? ""
        do {
            let device = try device(typed, from: request.peer.address)
            let handle = try begin(.device, Form.encode([("user_code", device.userCode)]))
            return .seeOther(address(profile.paths.deviceVerification, handle, request))
        } catch let fault as PageFault {
            throw PageRefusal(fault, page: userCodePage(typed, request, error: fault))
        }
    }

    private func decideDevice(_ form: Form, _ request: Request) throws -> Response {
        let paths = profile.paths.deviceVerification
        let opened = try openForm([.device], paths, request)
        let retry = address(paths, opened.handle, request)
        guard let isApproved = ["allow": true, "deny": false][form["decision"] ?? ""] else {
            throw PageRefusal(.decisionMissing, retry: retry)
        }
        guard let session = try database.read({ db in try session(request, in: db) }) else {
            throw PageRefusal(.sessionMissing, retry: retry)
        }
        let code = opened.interaction.form["user_code"] ?? ""
        do {
            let client = try decideDevice(
                code, isApproved ? DeviceApproval(session) : nil, from: request.peer.address)
            return opened.response(DevicePage.done(isApproved, client))
        } catch let fault as PageFault {
            throw PageRefusal(fault)
        }
    }

    /// The device of a conversation, while it can be decided on.
    private func waitingDevice(_ opened: OpenInteraction) throws -> DeviceRequest {
        let code = opened.interaction.form["user_code"] ?? ""
        let found = try database.read { db in try deviceRequests.find(userCode: code, in: db) }
        guard let found else { throw PageRefusal(.interactionUnknown) }
        if let fault = found.fault(at: now) { throw PageRefusal(fault) }
        return found
    }

    private func userCodePage(_ typed: String, _ request: Request, error: PageFault? = nil) -> Page {
        var page = DevicePage.entry(
            // What is longer than any code can be typed is of no use in the form.
            String(typed.prefix(40)), error: error,
            action: target(profile.paths.deviceVerification, request))
        page.status = error?.status ?? .ok
        return page
    }
}
