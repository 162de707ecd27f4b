import HTTP

/// Refusals of the admin API. Source: Hanko 2.7, admin API; the limit of webhooks is ours.
enum AdminRefusal {
    // MARK: Whoever calls

    static let keyMissing = HankoRefusal(
        .unauthorized, nil,
        "The fixtures set admin_api_key, so the admin API expects it as “Authorization: Bearer …”; none was sent."
    )

    static let keyWrong = HankoRefusal(
        .unauthorized, nil, "The bearer token is not the admin_api_key of the fixtures.")

    // MARK: Queries and bodies

    static func queryWrong(_ reason: String) -> HankoRefusal { HankoRefusal(.badRequest, nil, reason) }

    static func memberWrong(_ reason: String) -> HankoRefusal { HankoRefusal(.badRequest, nil, reason) }

    static func idMalformed(_ id: String) -> HankoRefusal {
        HankoRefusal(.badRequest, nil, "Expected the id of a user, a UUID, found “\(id.prefix(60))”.")
    }

    // MARK: Users

    static func userUnknown(_ id: String) -> HankoRefusal {
        HankoRefusal(.notFound, "user not found", "There is no user \(id).")
    }

    static func userExists(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .conflict, nil, "There is a user \(id) already; leave out “id” to have one generated.")
    }

    static func usernameTaken(_ name: String, userID: String) -> HankoRefusal {
        HankoRefusal(.conflict, nil, "The username “\(name)” belongs to the user \(userID).")
    }

    static func addressTaken(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(.conflict, nil, "The address \(address) belongs to the user \(userID).")
    }

    // MARK: What users have

    static func addressUnknown(_ id: String, userID: String) -> HankoRefusal {
        HankoRefusal(.notFound, nil, "The user \(userID) has no address with the id \(id).")
    }

    static func addressAssigned(_ address: String, userID: String) -> HankoRefusal {
        HankoRefusal(.badRequest, nil, "The address \(address) belongs to the user \(userID).")
    }

    static func credentialUnknown(_ id: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, "webauthn credential not found",
            "The user \(userID) has no credential “\(id.prefix(100))”; ids are compared as base64url without padding."
        )
    }

    static func passwordAbsent(userID: String) -> HankoRefusal {
        HankoRefusal(.notFound, nil, "The user \(userID) has no password; POST sets the first one.")
    }

    static func passwordPresent(userID: String) -> HankoRefusal {
        HankoRefusal(.conflict, nil, "The user \(userID) has a password already; PUT changes it.")
    }

    static func passwordTooLong(bytes: Int) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "password must not be longer than \(PasswordHash.maxBytes) bytes",
            "The password has \(bytes) bytes of UTF-8, more than the \(PasswordHash.maxBytes) that are taken."
        )
    }

    static func otpAbsent(userID: String) -> HankoRefusal {
        HankoRefusal(.notFound, nil, "The user \(userID) has no authenticator app.")
    }

    static func sessionUnknown(_ id: String, userID: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil, "The user \(userID) has no session \(id): it ended, or it is another user's.")
    }

    static func metadataTooLong(_ kind: String, characters: Int) -> HankoRefusal {
        HankoRefusal(
            .badRequest, nil,
            "The member “\(kind)” would have \(characters) characters of JSON, more than \(Metadata.limit)."
        )
    }

    // MARK: Webhooks

    static func webhookUnknown(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            "There is no webhook \(id); those of the configuration have no id and cannot be changed here.")
    }

    static let webhookLimitReached = HankoRefusal(
        .conflict, nil,
        "There are \(WebhookRules.limit) webhooks already, all that a world takes; the limit is ours.")
}
