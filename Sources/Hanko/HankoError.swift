import Essentials
package import HTTP
import PlatformKit

/// Every refusal of Hanko. Names say what went wrong; ``wire`` says how the client hears it.
enum HankoError: Refusal, Equatable {
    // The request itself.
    case bodyMalformed(String)
    case mediaTypeUnsupported(String)
    /// - isWrapped: the endpoint puts the sentence into another one.
    case invalid([Violation], isWrapped: Bool)
    case rateLimited(RateLimit, calls: String)
    /// A refusal that came after a token was taken: it carries the standing of the bucket.
    indirect case limited(RateLimit, HankoError)

    // What this server does not have.
    case switchedOff(String, by: String)
    /// An endpoint of 2.7 in the profile `current`.
    case removed(String)
    case deletionOff
    case usersNotListed
    case signupOff

    // Sessions.
    case unauthorized([SessionFault], clearedCookie: String?)
    case userNotYours(String, signedInAs: String)
    case userGone(String)

    // Users and addresses.
    case addressUnknown(String, isPending: Bool)
    case addressTaken(String, userID: String)
    case emailIDMalformed(String)
    case emailNotYours(String)
    case primaryStays(String)
    case addressLimitReached(Int)
    case addressAssigned(String, isOwn: Bool)

    // Passcodes: asking for one.
    case userUnknown(String)
    case emailIDUnparsable(String, isCookie: Bool)
    case emailUnavailable(String, isCookie: Bool)
    case emailIDNeeded
    case addressUndetermined(userID: String, pending: String?)
    case sessionOfAnother(signedInAs: String, userID: String)
    case addressOfAnother(String, userID: String)

    // Passcodes: bringing one back.
    case passcodeUnknown(String)
    case passcodeExpired(Passcode, now: Date)
    case passcodeWrong(String, triesLeft: Int, isOfAnother: String?)
    case passcodeExhausted(String)
    case addressClaimed(String, userID: String)
    case passcodeOfAnotherUser(signedInAs: String, userID: String)
    case addressNeedsSession(String, userID: String)

    // Sign-in with accounts of others.
    case thirdParty(ThirdPartyFault)
    case tokenUnknown(String, isFlow: Bool)
    case tokenExpired(seconds: Int)
    // Passkeys and passwords.
    case webAuthn(WebAuthnFault)
    case password(PasswordFault)
    // The admin API.
    case admin(AdminRefusal)
}

extension HankoError {
    /// Status, and the message where it is not the standard reason phrase.
    ///
    /// Source: Hanko 2.7, the handlers of the classic endpoints.
    var wire: (status: Status, message: String?) {
        switch self {
        case .bodyMalformed: (.badRequest, nil)
        case .mediaTypeUnsupported: (.unsupportedMediaType, nil)
        case .invalid(let violations, let isWrapped):
            (.badRequest, Self.sentence(violations, isWrapped: isWrapped))
        case .rateLimited: (.tooManyRequests, nil)
        case .limited(_, let refusal): refusal.wire

        case .switchedOff, .removed: (.notFound, nil)
        case .deletionOff, .usersNotListed: (.methodNotAllowed, nil)
        case .signupOff: (.forbidden, nil)

        case .unauthorized: (.unauthorized, nil)
        case .userNotYours: (.forbidden, nil)
        case .userGone: (.notFound, nil)

        case .addressUnknown: (.notFound, nil)
        case .addressTaken: (.conflict, nil)
        case .emailIDMalformed: (.badRequest, nil)
        case .emailNotYours: (.notFound, nil)
        case .primaryStays, .addressLimitReached: (.conflict, nil)
        case .addressAssigned: (.badRequest, nil)

        case .userUnknown: (.badRequest, nil)
        case .emailIDUnparsable: (.badRequest, "failed to parse emailId as uuid")
        case .emailUnavailable: (.badRequest, "the specified emailId is not available")
        case .emailIDNeeded: (.badRequest, "an emailId needs to be specified")
        case .addressUndetermined: (.internalServerError, nil)
        case .sessionOfAnother, .addressOfAnother: (.forbidden, nil)

        case .passcodeUnknown: (.unauthorized, "passcode not found")
        case .passcodeExpired: (.requestTimeout, "passcode request timed out")
        case .passcodeWrong: (.unauthorized, nil)
        case .passcodeExhausted: (.gone, "max attempts reached")
        case .addressClaimed: (.forbidden, "email address has been claimed by another user")
        case .passcodeOfAnotherUser, .addressNeedsSession: (.forbidden, nil)

        case .thirdParty(let fault): (.badRequest, fault.description)
        case .tokenUnknown: (.notFound, "token not found")
        case .tokenExpired: (.unprocessableContent, "token has expired")
        case .webAuthn(let fault): fault.wire
        case .password(let fault): fault.wire
        case .admin(let refusal): refusal.wire
        }
    }

    /// Header fields beside the body.
    var headers: [(name: String, value: String)] {
        switch self {
        case .rateLimited(let standing, _): standing.headers
        case .limited(let standing, let refusal): standing.headers + refusal.headers
        case .unauthorized(_, let cookie?): [("Set-Cookie", cookie)]
        case .deletionOff, .usersNotListed: [("Allow", "POST")]
        default: []
        }
    }

    private static func sentence(_ violations: [Violation], isWrapped: Bool) -> String {
        let sentence = violations.map(\.message).joined(separator: " and ")
        return isWrapped ? "code=400, message=\(sentence)" : sentence
    }
}

/// `{"code":404,"message":"Not Found"}`
private struct ErrorOutput: Encodable {
    let code: Int
    let message: String
}

extension Hanko {
    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let error as HankoError:
            var response = try response(error.wire.status, error.wire.message)
            for (name, value) in error.headers { response.headers.add(name, value) }
            return response
        case let refused as FlowRefused: return refused.response
        case let refusal as FlowRefusal: return .flowRefused(refusal.error)
        case is FlowBroken: return .flowRefused(.technical)
        case let unknown as RouteUnknown:
            var response = try response(unknown.status)
            response.headers["Allow"] = unknown.allow
            return response
        case is AssociationFileMissing: return try response(.notFound)
        case is RequestMalformed: return try response(.badRequest)
        default: return try response(.internalServerError)
        }
    }

    private static func response(_ status: Status, _ message: String? = nil) throws -> Response {
        try .hanko(ErrorOutput(code: status.code, message: message ?? status.reason), status: status)
    }
}
