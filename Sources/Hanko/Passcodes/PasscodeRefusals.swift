import Essentials
import HTTP
import PlatformKit

// Refusals where a passcode is asked for.
extension HankoRefusal {
    static func userUnknown(_ id: String) -> HankoRefusal {
        HankoRefusal(.badRequest, nil, "There is no user \(id); take the id from POST /user or POST /users.")
            .ofUnknownUser
    }

    static func emailIDUnparsable(_ id: String, isCookie: Bool) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "failed to parse emailId as uuid",
            "Expected a UUID in \(source(isCookie)), found “\(id.prefix(60))”.")
    }

    static func emailUnavailable(_ id: String, isCookie: Bool) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "the specified emailId is not available",
            "There is no address \(id), which \(source(isCookie)) names.")
    }

    private static func source(_ isCookie: Bool) -> String {
        isCookie ? "the cookie hanko_email_id" : "the member “email_id”"
    }

    static let emailIDNeeded = HankoRefusal(
        .badRequest, "an emailId needs to be specified",
        "The cookie hanko_email_id is empty, the body has no email_id, and the user has no primary address.")

    static func addressUndetermined(userID: String, pending: String?) -> HankoRefusal {
        HankoRefusal(
            .internalServerError, nil,
            "The user \(userID) has no primary address, the body has no email_id, and no cookie hanko_email_id came back"
                + (pending.map {
                    "; the address \($0) waits to be confirmed, and strict_pending_address forbids to guess it: "
                        + "send its email_id, or keep the cookie of POST /users."
                } ?? "; nothing says where the passcode should go."))
    }

    static func sessionOfAnother(signedInAs: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, nil,
            "The request carries a session of the user \(signedInAs), but asks for a passcode of the user \(userID). "
                + "Sign out first, or send no session.")
    }

    static func addressOfAnother(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(.forbidden, nil, "The address \(address) belongs to another user, \(userID).")
    }
}

// Refusals where a passcode is brought back.
extension HankoRefusal {
    /// - Parameter world: the other world that sent it, if that is known.
    static func passcodeUnknown(_ id: String, world: String? = nil) -> HankoRefusal {
        let why =
            world.map { "it is one of the world “\($0)”; compare the two base URLs." }
            ?? "it was used, deleted after three wrong codes, or never sent. The id is the one that initialize answered, not the user's."
        return HankoRefusal(
            .unauthorized, "passcode not found", "There is no passcode \(id.prefix(60)): \(why)",
            audit: "unknown passcode")
    }

    static func passcodeExpired(_ passcode: Passcode, now: Date) -> HankoRefusal {
        HankoRefusal(
            .requestTimeout, "passcode request timed out",
            "The passcode expired \(now.seconds(since: passcode.expiresAt)) s ago: "
                + "sent at \(Timestamp.text(passcode.createdAt)), valid for \(passcode.ttl) s, "
                + "and the world's clock says \(Timestamp.text(now)). Ask for a new one.",
            audit: "timed out passcode")
    }

    /// - Parameter other: the id of another passcode of the user, whose code it is.
    static func passcodeWrong(_ code: String, triesLeft: Int, isOfAnother other: String?) -> HankoRefusal {
        HankoRefusal(
            .unauthorized, nil,
            "The code “\(code.prefix(60))” is not the one that was mailed, \(triesLeft.counted("try", "tries")) left. "
                + guess(code, other: other), audit: "passcode invalid")
    }

    /// Where a wrong code may come from.
    private static func guess(_ code: String, other: String?) -> String {
        if let other {
            return "It is the code of the passcode \(other): id and code come from different mails."
        }
        let digits = code.filter { "0"..."9" ~= $0 }
        if digits.count == 6, digits != code {
            return "The code is six digits and nothing else; send “\(digits)”."
        }
        if code.count < 6, digits == code { return "The code has six digits; leading zeros count." }
        return "The right one is in the outbox."
    }

    static func passcodeExhausted(_ code: String) -> HankoRefusal {
        HankoRefusal(
            .gone, "max attempts reached",
            "The code “\(code.prefix(60))” was the third wrong one; the passcode is deleted, ask for a new one."
        )
    }

    static func addressClaimed(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, "email address has been claimed by another user",
            "The address \(address) became the user \(userID)'s after this passcode was sent.")
    }

    static func passcodeOfAnotherUser(signedInAs: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, nil,
            "The request carries a session of the user \(signedInAs), but the passcode is the user \(userID)'s."
        )
    }

    static func addressNeedsSession(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, nil,
            "The address \(address) is not the user \(userID)'s yet, who has others; "
                + "adding one needs that user's session on this call.")
    }
}
