import Essentials
import HTTP

/// Refusals of the password endpoints. Source: Hanko 2.7, their handlers.
enum PasswordRefusal {
    /// - Parameter count: characters.
    static func tooShort(count: Int, minimum: Int) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "password must be at least \(minimum) characters long",
            "The password has \(count.counted("character")); password.min_length asks for \(minimum).",
            audit: "password too short")
    }

    /// - Parameter count: bytes.
    static func tooLong(count: Int) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "password must not be longer than \(PasswordHash.maxBytes) bytes",
            "The password has \(count) bytes in UTF-8; the original takes \(PasswordHash.maxBytes) and no more, as bcrypt does.",
            audit: "password too long")
    }

    static func userUnknown(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .unauthorized, nil, "There is no user \(id); take the id from POST /user or POST /users."
        ).ofUnknownUser
    }

    static func ofAnother(_ id: String, signedInAs: String) -> HankoRefusal {
        HankoRefusal(
            .forbidden, nil,
            "The session belongs to the user \(signedInAs), who may not set the password of the user \(id).",
            audit: "wrong user: expected \(signedInAs) -> got \(id)")
    }

    static func absent(userID: String) -> HankoRefusal {
        HankoRefusal(
            .unauthorized, nil,
            "The user \(userID) has no password; PUT /password sets one, or “password” in the fixtures does.",
            audit: "user has no password credential")
    }

    /// - Parameter isRightTrimmed: whether it would be right without the white space around it.
    static func wrong(userID: String, isRightTrimmed: Bool) -> HankoRefusal {
        HankoRefusal(
            .unauthorized, nil,
            "The password is not the one of the user \(userID)."
                + (isRightTrimmed ? " Without the white space around it, it would be." : ""),
            audit: "password hash not equal")
    }
}
