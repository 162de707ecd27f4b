/// What is wrong with an authorization request, or why its user does not get what it asks for.
enum AuthorizationFault: Error, Equatable {
    // Whom to answer is not known: a page tells, and nothing is redirected. Source: RFC 6749 §4.1.2.1.
    case tooLarge(Int)
    case clientMissing
    case clientRepeated
    case clientUnknown(String, nearest: String?)
    case redirectURIMissing(registered: [String], isOpenID: Bool)
    case redirectURIRepeated
    case redirectURIUnregistered(String, registered: [String])
    case pushedRequest(String, PushedRequestFault)
    case pushedRequestSpent(String)

    // The client hears of it at its redirect URI.
    case repeated([String])
    case tooLong(String, Int)
    case responseTypeMissing
    case responseTypeUnsupported(String)
    case responseTypeNotAllowed(String, allowed: [String])
    case grantNotAllowed(String, allowed: [String])
    case responseModeUnknown(String)
    case responseModeUnfit(ResponseType)
    case requestObject
    case requestObjectInvalid(String)
    case authorizationDetails
    case proofKeyMalformed(String)
    case requestURI(String)
    case registration
    case challengeMissing
    case challengeMalformed(String)
    case challengeMethodUnknown(String)
    case challengeMethodAlone
    case nonceMissing(ResponseType)
    case openIDMissing(ResponseType)
    case promptUnknown([String])
    case promptNotAlone([String])
    case maxAgeMalformed(String)
    case claimsMalformed(String)
    case hintMalformed(String)
    case scope(ScopeFault)
    case targetUnknown([String], allowed: [String])
    case loginRequired(LoginReason)
    case consentRequired([String])
    case wrongUser(asked: String, found: String)
    case acrUnreachable([String], reached: [String])
    case denied
    case cancelled
    case openIDRemoved(ResponseType)
    case issue(IssueRefusal, isSilent: Bool)
}
