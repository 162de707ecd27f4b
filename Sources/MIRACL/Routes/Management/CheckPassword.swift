import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /otp`: a back end asks whether a user's one-time password is good.
    ///
    /// - Request: `{"userId"?, "otp"}` with `Authorization: Basic` or `Bearer`.
    /// - Response: `200 {"status": 200, "message": "OK", "userId"}`. The password is used up.
    /// - Errors: `401 UNAUTHORIZED` for a password that is wrong, used or expired, and for wrong credentials. Five wrong ones spend
    ///   those that the named user has.
    /// - Source: the vendor's documentation names the endpoint; the members are assumed.
    func checkPassword(_ request: Request) throws -> Response {
        let project = try projects.requireBackEnd(request).project
        let input = try Members(request)
        let (password, userID) = (try input.text("otp"), try input.optionalText("userId"))
        let code = try world.change { turn in
            guard let code = try OneTimeCode.find([.otp], password, of: userID, in: project.id, turn.db)
            else {
                let other = try OneTimeCode.find([.otp], password, in: project.id, turn.db)
                let fault = other.map { RegistrationRefusal.CodeFault.ofAnother($0.userID) } ?? .unknown
                throw turn.kept(ManagementRefusal.password(fault)) { turn in
                    guard let userID else { return }
                    try OneTimeCode.noteFailure([.otp], of: userID, in: project.id, turn)
                }
            }
            if let fault = code.fault(at: turn.now) { throw ManagementRefusal.password(fault) }
            try code.spend(in: turn)
            return code
        }
        return .answer(["status": 200, "message": "OK", "userId": .string(code.userID)])
    }

    /// `GET /otpgen`: a page with the one-time passwords that are good now. The original's makes them in the browser.
    ///
    /// - Request: query `client_id`.
    /// - Response: `200`, HTML.
    /// - Errors: `400` for an unknown client; `401` without the control token where other machines reach the program.
    /// - Source: the vendor's documentation names the page.
    func showPasswords(_ request: Request) throws -> Response {
        try world.requireDeveloper(request, isPage: true)
        let clientID = request.queryItems["client_id"] ?? ""
        guard let project = try projects.find(ofClient: clientID) else {
            throw ManagementRefusal.applicationUnknown(clientID)
        }
        let now = now
        let good = try database.read { db in
            try db.all(OneTimeCode.self).filter {
                $0.kind == .otp && $0.projectID == project.id && $0.spentAt == nil && $0.expiresAt > now
            }
        }
        return PasswordPage(project: project.name, codes: good.reversed(), now: now).page.response
    }
}
