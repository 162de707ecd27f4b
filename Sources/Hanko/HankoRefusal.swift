import Essentials
import HTTP
import PlatformKit

/// What Hanko refuses: how the client hears it, and a sentence for the journal. Each refusal stands whole at one place, in the extensions
/// below and in ``PasskeyRefusal``, ``PasswordRefusal``, ``AdminRefusal``.
///
/// Source: Hanko 2.7, the handlers of the endpoints; 501 is ours.
struct HankoRefusal: Refusal {
    let status: Status
    /// Nil for the standard reason phrase.
    let message: String?
    let explanation: String
    /// Header fields beside the body.
    private(set) var headers: [(name: String, value: String)] = []
    /// What went wrong, in the few words of the audit log; nil for those of the answer.
    private var note: String?
    /// There is no such user, whom the audit log therefore does not name.
    private(set) var isOfUnknownUser = false
    /// It came since there were too many calls, which the audit log does not tell.
    private(set) var isRateLimit = false

    init(
        _ status: Status, _ message: String? = nil, _ explanation: String, audit note: String? = nil,
        headers: [(name: String, value: String)] = []
    ) {
        (self.status, self.message, self.explanation) = (status, message, explanation)
        (self.note, self.headers) = (note, headers)
    }

    /// Source: Hanko 2.7, the handlers of the classic endpoints; for the rest the words of the answer.
    var auditNote: String { note ?? message ?? status.reason }

    /// The same for a user who is not there.
    var ofUnknownUser: HankoRefusal {
        var refusal = self
        (refusal.isOfUnknownUser, refusal.note) = (true, "unknown user")
        return refusal
    }

    /// A refusal that came after a token was taken: it carries the standing of the bucket.
    static func limited(_ standing: RateLimit, _ refusal: HankoRefusal) -> HankoRefusal {
        var refusal = refusal
        refusal.headers = standing.headers + refusal.headers
        return refusal
    }

    static func rateLimited(_ standing: RateLimit, calls: String) -> HankoRefusal {
        var refusal = HankoRefusal(
            .tooManyRequests, nil,
            "More than \(standing.limit) calls of \(calls). "
                + "The bucket is full again in \(standing.resetSeconds) s of the world's clock, which can be moved; "
                + "rate_limiter.enabled: false in the fixtures switches limits off.",
            headers: standing.headers)
        refusal.isRateLimit = true
        return refusal
    }
}

extension HankoRefusal: Equatable {
    static func == (one: HankoRefusal, other: HankoRefusal) -> Bool {
        (one.status, one.message, one.explanation) == (other.status, other.message, other.explanation)
            && one.headers.elementsEqual(other.headers, by: ==)
    }
}

// MARK: - The request itself

extension HankoRefusal {
    static func bodyMalformed(_ reason: String) -> HankoRefusal { HankoRefusal(.badRequest, nil, reason) }

    static func mediaTypeUnsupported(_ type: String) -> HankoRefusal {
        HankoRefusal(
            .unsupportedMediaType, nil,
            "Expected the body as Content-Type: application/json, found "
                + (type.isEmpty ? "no Content-Type." : "“\(type.prefix(100))”."))
    }

    /// - Parameter isWrapped: the endpoint puts the sentence into another one.
    static func invalid(_ violations: [Violation], isWrapped: Bool) -> HankoRefusal {
        let message = violations.map(\.message).joined(separator: " and ")
        return HankoRefusal(
            .badRequest, isWrapped ? "code=400, message=\(message)" : message,
            violations.map(\.explanation).joined(separator: " "))
    }
}

// MARK: - What this server does not have

extension HankoRefusal {
    static func notEmulated(_ feature: String) -> HankoRefusal {
        HankoRefusal(
            .notImplemented, "not emulated: \(feature)",
            "Hanko has this endpoint, this emulator has not: \(feature).")
    }

    static func switchedOff(_ what: String, by reason: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            "Hanko registers the endpoints of \(what) only where the configuration allows them: \(reason).")
    }

    /// An endpoint of 2.7 in the profile `current`.
    static func removed(_ path: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            "Hanko 3.x removed \(path), and \"profile\": \"current\" in the fixtures of hanko asks for 3.x; "
                + "apps of today sign in over the flows, “classic” brings the endpoint back.")
    }

    static let deletionOff = HankoRefusal(
        .methodNotAllowed, nil,
        "Users may delete themselves only where account.allow_deletion is true; "
            + "until then DELETE /user does not exist, as upstream.", headers: [("Allow", "POST")])

    static let usersNotListed = HankoRefusal(
        .methodNotAllowed, nil,
        "There is no GET /users?email=…, although one document says so; look up a user with POST /user {\"email\": …}.",
        headers: [("Allow", "POST")])

    static let signupOff = HankoRefusal(
        .forbidden, nil, "Registration is switched off: account.allow_signup is false.")
}

// MARK: - Sessions

extension HankoRefusal {
    static func unauthorized(_ refusals: [SessionRefusal], clearedCookie: String?) -> HankoRefusal {
        HankoRefusal(
            .unauthorized, nil, refusals.map(\.explanation).joined(separator: " "),
            headers: clearedCookie.map { [("Set-Cookie", $0)] } ?? [])
    }

    static func userNotYours(_ id: String, signedInAs: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, nil,
            id.lowercased() == signedInAs
                ? "The id “\(id)” is the signed-in user's in upper case; ids are compared as text, so write it in lower case."
                : "The session belongs to the user \(signedInAs), who may not see “\(id.prefix(60))”.")
    }

    static func userGone(_ id: String) -> HankoRefusal {
        HankoRefusal(.notFound, nil, "The user \(id) of the session does not exist any more.")
    }
}

// MARK: - Users and addresses

extension HankoRefusal {
    static func addressUnknown(_ address: String, isPending: Bool) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            isPending
                ? "The address \(address) was registered but never confirmed: it belongs to no user until a passcode sent to it is "
                    + "finalized. Use the ids that POST /users answered."
                : "The address \(address) is not registered; POST /users registers it.")
    }

    static func addressTaken(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .conflict, nil,
            "The address \(address) belongs to the user \(userID); sign in with a passcode instead of registering again."
        )
    }

    static func emailIDMalformed(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .badRequest, nil,
            "Expected the id of an address in the path, a UUID, found “\(id.prefix(60))”.")
    }

    static func emailNotYours(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            "The signed-in user has no address with the id \(id.prefix(60)); a new one is the user's only once confirmed."
        )
    }

    static func primaryStays(_ address: String) -> HankoRefusal {
        HankoRefusal(
            .conflict, nil,
            "The address \(address) is the primary one; make another one primary before removing it.")
    }

    static func addressLimitReached(_ limit: Int) -> HankoRefusal {
        HankoRefusal(
            .conflict, nil,
            "The user has \(limit.counted("address", "addresses")), all that email.limit allows.")
    }

    static func addressAssigned(_ address: String, isOwn: Bool) -> HankoRefusal {
        HankoRefusal(
            .badRequest, nil,
            "The address \(address) belongs to \(isOwn ? "the signed-in user already" : "another user").")
    }
}

/// An association file that the fixtures do not bring.
struct AssociationFileMissing: Refusal {
    /// Of `hanko.association`.
    let member: String
    let example: String

    var explanation: String {
        "The fixtures say nothing of this file: it is served when \"hanko\" has \"association\": {\"\(member)\": \(example)}."
    }
}
