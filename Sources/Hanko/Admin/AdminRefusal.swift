import HTTP

/// What the admin API refuses. Names say what went wrong; ``wire`` says how the client hears it.
enum AdminRefusal: Sendable, Equatable {
    // Whoever calls.
    case keyMissing
    case keyWrong

    // Queries and bodies.
    case queryWrong(String)
    case idMalformed(String)
    case memberWrong(String)

    // Users.
    case userUnknown(String)
    case userExists(String)
    case usernameTaken(String, userID: String)
    case addressTaken(String, userID: String)

    // What users have.
    case addressUnknown(String, userID: String)
    case addressAssigned(String, userID: String)
    case addressLimitReached(Int)
    case primaryStays(String)
    case credentialUnknown(String, userID: String)
    case passwordAbsent(userID: String)
    case passwordPresent(userID: String)
    case passwordTooLong(bytes: Int)
    case otpAbsent(userID: String)
    case sessionUnknown(String, userID: String)
    case metadataTooLong(String, characters: Int)

    // Webhooks.
    case webhookUnknown(String)
    case webhookLimitReached
}

extension AdminRefusal {
    /// Status, and the message where it is not the standard reason phrase.
    ///
    /// Source: Hanko 2.7, admin API; the limit of webhooks is ours.
    var wire: (status: Status, message: String?) {
        switch self {
        case .keyMissing, .keyWrong: (.unauthorized, nil)
        case .queryWrong, .idMalformed, .memberWrong: (.badRequest, nil)
        case .userUnknown: (.notFound, "user not found")
        case .userExists, .usernameTaken, .addressTaken: (.conflict, nil)
        case .addressUnknown: (.notFound, nil)
        case .addressAssigned: (.badRequest, nil)
        case .addressLimitReached, .primaryStays: (.conflict, nil)
        case .credentialUnknown: (.notFound, "webauthn credential not found")
        case .passwordAbsent, .otpAbsent, .sessionUnknown, .webhookUnknown: (.notFound, nil)
        case .passwordPresent: (.conflict, nil)
        case .passwordTooLong:
            (.badRequest, "password must not be longer than \(PasswordHash.maxBytes) bytes")
        case .metadataTooLong: (.badRequest, nil)
        case .webhookLimitReached: (.conflict, nil)
        }
    }

    var explanation: String {
        switch self {
        case .keyMissing:
            "The fixtures set admin_api_key, so the admin API wants it as \"Authorization: Bearer …\"; none came."
        case .keyWrong: "The bearer token is not the admin_api_key of the fixtures."
        case .queryWrong(let reason), .memberWrong(let reason): reason
        case .idMalformed(let id): "Expected the id of a user, a UUID, found \"\(id.prefix(60))\"."
        case .userUnknown(let id): "There is no user \(id)."
        case .userExists(let id): "There is a user \(id) already; leave \"id\" out and one is made."
        case .usernameTaken(let name, let userID):
            "The username \"\(name)\" belongs to the user \(userID)."
        case .addressTaken(let address, let userID), .addressAssigned(let address, let userID):
            "The address \(address) belongs to the user \(userID)."
        default: belongings
        }
    }

    private var belongings: String {
        switch self {
        case .addressUnknown(let id, let userID): "The user \(userID) has no address with the id \(id)."
        case .addressLimitReached(let limit):
            "The user has \(limit) addresses, all that email.limit allows."
        case .primaryStays(let address):
            "The address \(address) is the primary one; make another one primary before removing it."
        case .credentialUnknown(let id, let userID):
            "The user \(userID) has no credential \"\(id.prefix(100))\"; ids are compared as base64url without padding."
        case .passwordAbsent(let userID): "The user \(userID) has no password; POST sets the first one."
        case .passwordPresent(let userID): "The user \(userID) has a password already; PUT changes it."
        case .passwordTooLong(let bytes):
            "The password has \(bytes) bytes of UTF-8, more than the \(PasswordHash.maxBytes) that are taken."
        case .otpAbsent(let userID): "The user \(userID) has no authenticator app."
        case .sessionUnknown(let id, let userID):
            "The user \(userID) has no session \(id): it ended, or it is another user's."
        case .metadataTooLong(let kind, let characters):
            "The member \"\(kind)\" would have \(characters) characters of JSON, more than \(Metadata.limit)."
        case .webhookUnknown(let id):
            "There is no webhook \(id); those of the configuration have no id and cannot be changed here."
        case .webhookLimitReached:
            "There are \(WebhookRules.limit) webhooks already, all that a world takes; the limit is ours."
        default: ""
        }
    }
}
