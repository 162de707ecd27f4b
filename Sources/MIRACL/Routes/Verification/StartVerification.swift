import Essentials
import HTTP
import SQLite

extension MIRACL {
    /// `POST /verification`: a back end that knows its user asks for the link itself; without credentials as
    /// ``sendVerificationMail(_:)``.
    ///
    /// - Request: with `Authorization`, `{"userId", "projectId", "deviceName"?, "expiration"?, "delivery": "no", "accessId"?, "stage"?,
    ///   "clientId"?, "redirectURI"?, "state"?, "nonce"?}`; `expiration` in seconds.
    /// - Response: `200 {"verificationURL"}`; no mail is sent.
    /// - Errors: `401 UNAUTHORIZED`, `403 FORBIDDEN` for another project, `400` for an expiration that is none.
    /// - Source: the vendor's documentation of custom user verification; trust-sdk-android, integration tests.
    func startVerification(_ request: Request) throws -> Response {
        guard request.headers["Authorization"] != nil else { return try sendVerificationMail(request) }
        let input = try Members(request)
        let project = try requireBackEnd(request, projectID: input.optionalText("projectId")).project
        let userID = try input.text("userId")
        guard project.admits(userID) else { throw RegistrationRefusal.userNotAllowed(userID) }
        if let delivery = try input.optionalText("delivery"), delivery != "no" {
            throw RequestRefusal.memberMalformed("delivery", "expected \"no\", since a back end delivers it.")
        }
        let seconds = try input.optionalInteger("expiration")
        if let seconds, !(1...31_536_000).contains(seconds) {
            throw RequestRefusal.memberMalformed("expiration", "expected 1 to 31536000 s, found \(seconds).")
        }
        var code = makeVerificationCode(.custom, of: userID, in: project, seconds: seconds)
        try code.keep(input)
        let kept = code
        try database.write { db in
            try codes.tidy(at: now, in: db)
            try codes.insert(kept, in: db)
        }
        return .answer(["verificationURL": .string(customLink(code, request))])
    }

    /// Here the user comes first. Source: the vendor's documentation of custom user verification.
    private func customLink(_ code: OneTimeCode, _ request: Request) -> String {
        let members = [
            ("user_id", code.userID), ("code", code.text), ("client_id", code.clientID),
            ("redirect_uri", code.redirectURI), ("stage", code.stage), ("state", code.state),
        ].compactMap { name, value in value.map { (name, $0) } }
        return request.baseURL + "/verification/confirmation?" + Form.encode(members)
    }
}
