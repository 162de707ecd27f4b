import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /verification/email`: a user wants the mail that proves the id.
    ///
    /// - Request: `{"userId", "projectId", "deviceName", "mpinId"?, "accessId"?, "clientId"?, "redirectURI"?, "state"?, "nonce"?,
    ///   "stage"?}`. With `mpinId`, a registration of the first generation is confirmed as well.
    /// - Response: `200 {"backoff", "method": "link" | "code"}`: seconds since 1970 before which no other mail is sent, and what the mail
    ///   brings. Where a project sends codes, a user who has registered before and comes without `mpinId` gets a link all the same.
    /// - Errors: `429 REQUEST_BACKOFF` with `context.backoff`, the same time as text; `403 FORBIDDEN`.
    /// - Source: client-js 5 to 8; trust-sdk-android.
    func sendVerificationMail(_ request: Request) throws -> Response {
        let input = try Members(request)
        let userID = try input.text("userId")
        let project = try projects.require(request, named: input.optionalText("projectId"))
        guard project.method != .custom else {
            throw VerificationRefusal.mailsOff(projectID: project.id)
        }
        try project.requireAdmitted(userID)
        let mpinID = try input.optionalText("mpinId")
        let method = try verifications.method(for: userID, mpinID: mpinID, in: project)
        var code = verifications.makeVerificationCode(method, of: userID, in: project)
        try code.keep(input)
        try verifications.send(code, mpinID: mpinID, in: project, request)
        return .answer([
            "backoff": .integer(world.time(in: project.backoffSeconds).unixSeconds),
            "method": .string(method == .code ? "code" : "link"),
        ])
    }
}

extension OneTimeCode {
    /// What the confirmation hands back as it came.
    mutating func keep(_ input: Members) throws {
        deviceName = try input.optionalText("deviceName")
        accessID = try input.optionalText("accessId")
        clientID = try input.optionalText("clientId")
        redirectURI = try input.optionalText("redirectURI")
        (state, nonce) = (try input.optionalText("state"), try input.optionalText("nonce"))
        stage = try input.optionalText("stage")
    }
}
