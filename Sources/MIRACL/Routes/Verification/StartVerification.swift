import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /verification`: a back end that knows its user asks for the link itself; without credentials as
    /// ``sendVerificationMail(_:)``.
    ///
    /// - Request: with `Authorization`, `{"userId", "projectId", "deviceName"?, "expiration"?, "delivery": "no", "accessId"?, "stage"?,
    ///   "clientId"?, "redirectURI"?, "state"?, "nonce"?}`; `expiration` in seconds, or as a moment in seconds since 1970.
    /// - Response: `200 {"verificationURL"}`; no mail is sent.
    /// - Errors: `401 UNAUTHORIZED`, `403 FORBIDDEN` for another project, `400` for an expiration that is none.
    /// - Source: the vendor's documentation of custom user verification; trust-sdk-android, integration tests.
    func startVerification(_ request: Request) throws -> Response {
        guard request.headers["Authorization"] != nil else { return try sendVerificationMail(request) }
        let input = try Members(request)
        let project = try projects.requireBackEnd(request, projectID: input.optionalText("projectId")).project
        let userID = try input.text("userId")
        try project.requireAdmitted(userID)
        if let delivery = try input.optionalText("delivery"), delivery != "no" {
            throw RequestRefusal.memberMalformed("delivery", "expected “no”, since a back end delivers it.")
        }
        let seconds = try seconds(untilExpiration: input.optionalInteger("expiration"))
        var code = verifications.makeVerificationCode(.custom, of: userID, in: project, seconds: seconds)
        try code.keep(input)
        let kept = code
        try world.change { turn in try turn.insert(kept) }
        return .answer(["verificationURL": .string(customLink(code, request))])
    }

    /// Numbers above are moments, not seconds from now: 10⁹ s are 31 years. Source: trust-sdk-android and trust-sdk-ios, integration
    /// tests, for moments; the vendor's documentation for seconds.
    private static let firstMoment = 1_000_000_000

    private func seconds(untilExpiration expiration: Int?) throws -> Int? {
        guard let expiration else { return nil }
        let isMoment = expiration > Self.firstMoment
        let seconds = isMoment ? expiration - now.unixSeconds : expiration
        guard (1...31_536_000).contains(seconds) else {
            let found =
                !isMoment
                ? "\(seconds) s"
                : seconds > 31_536_000
                    ? "a moment in \(seconds) s; these may be milliseconds" : "a moment \(-seconds) s ago"
            throw RequestRefusal.memberMalformed(
                "expiration",
                "expected 1 to 31536000 s, or a moment in seconds since 1970 that is so far away, found \(found)."
            )
        }
        return seconds
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
