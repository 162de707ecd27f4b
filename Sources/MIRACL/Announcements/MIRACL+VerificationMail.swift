import Essentials
import HTTP
import PlatformKit
import SQLite

// What a user gets who has to prove to be the owner of an id.
extension MIRACL {
    /// Makes the code that confirms a registration, and the mail that brings it, unless the customer's back end verifies its users.
    ///
    /// - Parameter accessID: the access code that the registration began with, if any.
    func sendVerification(
        of identity: Identity, in project: Project, accessID: String? = nil, _ request: Request,
        in turn: Turn
    ) throws {
        var code = makeVerificationCode(project.method, of: identity.userID, in: project)
        code.mpinID = identity.mpinID
        code.deviceName = identity.deviceName
        code.accessID = accessID
        try turn.insert(code)
        try verificationMail(code, in: project, request).map(turn.send)
    }

    /// A code that nobody has yet: digits for a mail, or what stands in a link.
    func makeVerificationCode(
        _ method: Project.VerificationMethod, of userID: String, in project: Project, seconds: Int? = nil
    ) -> OneTimeCode {
        let kind: OneTimeCode.Kind =
            switch method {
            case .link: .link
            case .code: .mail
            case .custom: .custom
            }
        return OneTimeCode(
            kind: kind, text: kind == .mail ? digits(for: "mail_code") : token(for: "verification"),
            projectID: project.id, userID: userID, origin: kind == .custom ? .custom : .mail, createdAt: now,
            expiresAt: time(in: seconds ?? project.verificationSeconds))
    }

    /// The mail that brings a code; nil for one that no mail brings.
    func verificationMail(_ code: OneTimeCode, in project: Project, _ request: Request) -> Message? {
        switch code.kind {
        case .link: VerificationMail(code, project, link: verificationLink(code, request)).message
        case .mail: VerificationMail(code, project, link: nil).message
        default: nil
        }
    }

    /// The place where a code is confirmed, the code before the user: the vendor's own tests look for them in this order.
    ///
    /// Source: trust-sdk-android, integration tests; every character that a form would read otherwise is percent-encoded, a plus
    /// sign among them.
    func verificationLink(_ code: OneTimeCode, _ request: Request) -> String {
        request.baseURL + "/verification/confirmation?"
            + Form.encode([("code", code.text), ("user_id", code.userID)])
    }
}
