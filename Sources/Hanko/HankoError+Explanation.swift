import Essentials
import PlatformKit

extension HankoError {
    var explanation: String {
        switch self {
        case .bodyMalformed, .mediaTypeUnsupported, .invalid, .rateLimited: requestExplanation
        case .limited(_, let refusal): refusal.explanation
        case .notEmulated, .switchedOff, .removed, .deletionOff, .usersNotListed, .signupOff:
            serverExplanation
        case .unauthorized, .userNotYours, .userGone: sessionExplanation
        case .addressUnknown, .addressTaken, .emailIDMalformed, .emailNotYours, .primaryStays,
            .addressLimitReached,
            .addressAssigned:
            addressExplanation
        case .userUnknown, .emailIDUnparsable, .emailUnavailable, .emailIDNeeded, .addressUndetermined,
            .sessionOfAnother, .addressOfAnother:
            initializeExplanation
        case .passcodeUnknown, .passcodeExpired, .passcodeWrong, .passcodeExhausted, .addressClaimed,
            .passcodeOfAnotherUser, .addressNeedsSession:
            finalizeExplanation
        case .thirdParty, .tokenUnknown, .tokenExpired: thirdPartyExplanation
        case .webAuthn(let fault): fault.explanation
        case .password(let fault): fault.explanation
        case .admin(let refusal): refusal.explanation
        }
    }

    private var requestExplanation: String {
        switch self {
        case .bodyMalformed(let reason): reason
        case .mediaTypeUnsupported(let type):
            "Expected the body as Content-Type: application/json, found "
                + (type.isEmpty ? "no Content-Type." : "\"\(type.prefix(100))\".")
        case .invalid(let violations, _): violations.map(\.explanation).joined(separator: " ")
        case .rateLimited(let standing, let calls):
            "More than \(standing.limit) calls of \(calls). "
                + "The bucket is full again in \(standing.resetSeconds) s of the world's clock, which can be moved; "
                + "rate_limiter.enabled: false in the fixtures switches limits off."
        default: ""
        }
    }

    private var serverExplanation: String {
        switch self {
        case .notEmulated(let feature): "Hanko has this endpoint, this emulator has not: \(feature)."
        case .switchedOff(let what, let reason):
            "Hanko registers the endpoints of \(what) only where the configuration allows them: \(reason)."
        case .removed(let path):
            "Hanko 3.x removed \(path), and \"profile\": \"current\" in the fixtures of hanko asks for 3.x; "
                + "apps of today sign in over the flows, \"classic\" brings the endpoint back."
        case .deletionOff:
            "Users may delete themselves only where account.allow_deletion is true; "
                + "until then DELETE /user does not exist, as upstream."
        case .usersNotListed:
            "There is no GET /users?email=…, whatever one document says; look a user up with POST /user {\"email\": …}."
        case .signupOff: "Nobody can register while account.allow_signup is false."
        default: ""
        }
    }

    private var sessionExplanation: String {
        switch self {
        case .unauthorized(let faults, _): faults.map(\.explanation).joined(separator: " ")
        case .userNotYours(let id, let signedInAs):
            id.lowercased() == signedInAs
                ? "The id \"\(id)\" is the signed-in user's in upper case; ids are compared as text, so write it in lower case."
                : "The session belongs to the user \(signedInAs), who may not see \"\(id.prefix(60))\"."
        case .userGone(let id): "The user \(id) of the session does not exist any more."
        default: ""
        }
    }

    private var addressExplanation: String {
        switch self {
        case .addressUnknown(let address, true):
            "The address \(address) was registered but never confirmed: it is nobody's until a passcode sent to it is "
                + "finalized. Use the ids that POST /users answered."
        case .addressUnknown(let address, false): "Nobody registered \(address); POST /users does."
        case .addressTaken(let address, let userID):
            "The address \(address) belongs to the user \(userID); sign in with a passcode instead of registering again."
        case .emailIDMalformed(let id):
            "Expected the id of an address in the path, a UUID, found \"\(id.prefix(60))\"."
        case .emailNotYours(let id):
            "The signed-in user has no address with the id \(id.prefix(60)); a new one is the user's only once confirmed."
        case .primaryStays(let address):
            "The address \(address) is the primary one; make another one primary before removing it."
        case .addressLimitReached(let limit): "The user has \(limit) addresses, all that email.limit allows."
        case .addressAssigned(let address, let isOwn):
            "The address \(address) belongs to \(isOwn ? "the signed-in user already" : "another user")."
        default: ""
        }
    }

    private var initializeExplanation: String {
        switch self {
        case .userUnknown(let id): "There is no user \(id); take the id from POST /user or POST /users."
        case .emailIDUnparsable(let id, let isCookie):
            "Expected a UUID in \(Self.source(isCookie)), found \"\(id.prefix(60))\"."
        case .emailUnavailable(let id, let isCookie):
            "There is no address \(id), which \(Self.source(isCookie)) names."
        case .emailIDNeeded:
            "The cookie hanko_email_id is empty, the body has no email_id, and the user has no primary address."
        case .addressUndetermined(let userID, let pending):
            "The user \(userID) has no primary address, the body has no email_id, and no cookie hanko_email_id came back"
                + (pending.map {
                    "; the address \($0) waits to be confirmed, and strict_pending_address forbids to guess it: "
                        + "send its email_id, or keep the cookie of POST /users."
                } ?? "; nothing says where the passcode should go.")
        case .sessionOfAnother(let signedInAs, let userID):
            "The request carries a session of the user \(signedInAs), but asks for a passcode of the user \(userID). "
                + "Sign out first, or send no session."
        case .addressOfAnother(let address, let userID):
            "The address \(address) belongs to another user, \(userID)."
        default: ""
        }
    }

    private static func source(_ isCookie: Bool) -> String {
        isCookie ? "the cookie hanko_email_id" : "the member \"email_id\""
    }

    private var finalizeExplanation: String {
        switch self {
        case .passcodeUnknown(let id):
            "There is no passcode \(id.prefix(60)): used already, deleted after three wrong codes, or never sent. "
                + "The id is the one that initialize answered, not the user's."
        case .passcodeExpired(let passcode, let now):
            "The passcode expired \(Int(now.timeIntervalSince(passcode.expiresAt).rounded(.up))) s ago: "
                + "sent at \(Timestamp.text(passcode.createdAt)), valid for \(passcode.ttlSeconds) s, "
                + "and the world's clock says \(Timestamp.text(now)). Ask for a new one."
        case .passcodeWrong(let code, let triesLeft, let other):
            "The code \"\(code.prefix(60))\" is not the one that was mailed, \(triesLeft) \(triesLeft == 1 ? "try" : "tries") left. "
                + Self.guess(code, other: other)
        case .passcodeExhausted(let code):
            "The code \"\(code.prefix(60))\" was the third wrong one; the passcode is deleted, ask for a new one."
        case .addressClaimed(let address, let userID):
            "The address \(address) became the user \(userID)'s after this passcode was sent."
        case .passcodeOfAnotherUser(let signedInAs, let userID):
            "The request carries a session of the user \(signedInAs), but the passcode is the user \(userID)'s."
        case .addressNeedsSession(let address, let userID):
            "The address \(address) is not the user \(userID)'s yet, who has others; "
                + "adding one needs that user's session on this call."
        default: ""
        }
    }

    private var thirdPartyExplanation: String {
        switch self {
        case .thirdParty(let fault): fault.explanation
        case .tokenUnknown(_, true):
            "The token is one of a flow; the action exchange_token of that flow trades it, not POST /token."
        case .tokenUnknown(let value, false):
            "There is no token \"\(value.prefix(60))\": used already, or never given out."
        case .tokenExpired(let seconds):
            "The token expired \(seconds) s ago; it is good for \(Int(ThirdPartyToken.lifespanSeconds)) s."
        default: ""
        }
    }

    /// Where a wrong code may come from.
    private static func guess(_ code: String, other: String?) -> String {
        if let other {
            return "It is the code of the passcode \(other): id and code come from different mails."
        }
        let digits = code.filter { "0"..."9" ~= $0 }
        if digits.count == 6, digits != code {
            return "The code is six digits and nothing else; send \"\(digits)\"."
        }
        if code.count < 6, digits == code { return "The code has six digits; leading zeros count." }
        return "The right one is in the outbox."
    }
}
