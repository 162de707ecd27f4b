import Essentials
import HTTP
import OpenID
import PlatformKit

extension MIRACL {
    /// `POST /authorize`: an app, or a page's script, begins a login at a relying party.
    ///
    /// - Request: an OpenID Connect authorization request, in the query or form-encoded. The body may be empty, `{"prerollid"}`, or
    ///   `{"prerollId", "registerOnly"}`.
    /// - Response: `200 {"webOTT", "accessId", "accessURL", "qrURL"}`.
    /// - Errors: `400` with OpenID Connect's own code as `error`; nothing is redirected.
    /// - Source: the vendor's documentation of OpenID Connect; mfa-client-sdk-ios, client-js 5 and 6 for the body.
    func startAuthorization(_ request: Request) throws -> Response {
        let (form, members) = try authorizationInput(request)
        let (asked, project) = try sessions.requireAuthorization(form, at: request)
        var session = sessions.makeSession(in: project, request)
        session.authorization = asked
        session.prerollID = try members.optionalText("prerollId") ?? form.text("prerollid") ?? asked.loginHint
        session.registerOnly = try members.flag("registerOnly")
        try sessions.open(session)
        return sessions.answer(session, request)
    }

    /// The parameters of OpenID Connect, which stand in the query or in a form, and the members of a JSON body.
    func authorizationInput(_ request: Request) throws -> (form: Form, members: Members) {
        let isObject =
            request.body.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
            || request.body.isEmpty
        // By content: clients label JSON as forms.
        guard !isObject else { return (request.queryItems, try Members(request, isOptional: true)) }
        let texts = [request.query ?? "", String(decoding: request.body, as: UTF8.self)]
        return (Form(texts.filter { !$0.isEmpty }.joined(separator: "&")), Members([:]))
    }

    private static let blanks = Set(" \t\r\n".utf8)
}

extension Form {
    /// The first value of `name` that is not empty.
    func text(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
