import HTTP

/// Refusals of the password endpoints.
enum PasswordFault: Sendable, Equatable {
    /// - count: characters.
    case tooShort(count: Int, minimum: Int)
    /// - count: bytes.
    case tooLong(count: Int)
    case userUnknown(String)
    case ofAnother(String, signedInAs: String)
    case absent(userID: String)
    /// - isRightTrimmed: whether it would be right without the white space around it.
    case wrong(userID: String, isRightTrimmed: Bool)
}

extension PasswordFault {
    /// Status, and the message where it is not the standard reason phrase.
    ///
    /// Source: Hanko 2.7, the handlers of the password endpoints.
    var wire: (status: Status, message: String?) {
        switch self {
        case .tooShort(_, let minimum):
            (.badRequest, "password must be at least \(minimum) characters long")
        case .tooLong: (.badRequest, "password must not be longer than \(PasswordHash.maxBytes) bytes")
        case .userUnknown, .absent, .wrong: (.unauthorized, nil)
        case .ofAnother: (.forbidden, nil)
        }
    }

    var explanation: String {
        switch self {
        case .tooShort(let count, let minimum):
            "The password has \(count) characters; password.min_length asks for \(minimum)."
        case .tooLong(let count):
            "The password has \(count) bytes in UTF-8; the original takes \(PasswordHash.maxBytes) and no more, as bcrypt does."
        case .userUnknown(let id): "There is no user \(id); take the id from POST /user or POST /users."
        case .ofAnother(let id, let signedInAs):
            "The session belongs to the user \(signedInAs), who may not set the password of the user \(id)."
        case .absent(let id):
            "The user \(id) has no password; PUT /password sets one, or \"password\" in the fixtures does."
        case .wrong(let id, let isRightTrimmed):
            "The password is not the one of the user \(id)."
                + (isRightTrimmed ? " Without the white space around it, it would be." : "")
        }
    }
}
