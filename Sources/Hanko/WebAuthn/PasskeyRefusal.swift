import HTTP
import WebAuthn

/// Refusals of the WebAuthn endpoints. Source: Hanko 2.7, their handlers and the library below them.
enum PasskeyRefusal {
    // MARK: Options

    static func userIDUnparsable(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "failed to parse UserID as uuid",
            "Expected a UUID in “user_id”, found “\(id.prefix(60))”; leave it out to let the passkey say who signs in."
        )
    }

    static func userUnknown(_ id: String) -> HankoRefusal {
        HankoRefusal(.badRequest, "user not found", "There is no user \(id) to create options for.")
            .ofUnknownUser
    }

    /// A user without a primary address has no name to show.
    static func nameless(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .internalServerError, nil,
            "The user \(id) has no primary address, which is the name that a passkey carries; "
                + "the original breaks here as well. Confirm an address first.")
    }

    // MARK: Responses

    static func unreadable(_ fault: PostedCredentialFault, _ ceremony: Ceremony) -> HankoRefusal {
        HankoRefusal(
            .badRequest, fault.part.message(in: ceremony),
            "The posted credential cannot be read: \(fault.reason).")
    }

    /// - Parameters:
    ///   - text: as it came, in base64url.
    ///   - encoding: in which its bytes are the text of a challenge that waits.
    static func challengeUnknown(_ text: String, encodedTwice encoding: String?, _ ceremony: Ceremony)
        -> HankoRefusal
    {
        challenge(
            ceremony,
            encoding.map {
                "The challenge is encoded twice: hand its bytes to the authenticator, not their text in \($0)."
            }
                ?? "The challenge “\(text.prefix(60))” is not waiting for an answer: it was already used, or never issued in this "
                + "world. Call initialize for every ceremony.")
    }

    static func challengeOfOtherCeremony(_ ceremony: Ceremony) -> HankoRefusal {
        challenge(
            ceremony,
            "The challenge was given out for the other ceremony; this is the end of a \(ceremony.rawValue).")
    }

    static func challengeOfAnother(_ userID: String, signedInAs: String) -> HankoRefusal {
        challenge(
            .registration,
            "The challenge was given out to the user \(userID), but the session is the user \(signedInAs)'s.",
            audit: "user session does not match sessionData subject")
    }

    private static func challenge(
        _ ceremony: Ceremony, _ explanation: String, audit note: String = "received unknown challenge"
    ) -> HankoRefusal {
        HankoRefusal(
            ceremony == .registration ? .badRequest : .unauthorized,
            "Stored challenge and received challenge do not match", explanation, audit: note)
    }

    /// - Parameter count: bytes of the handle; nil when there was none.
    static func userHandleMalformed(count: Int?) -> HankoRefusal {
        HankoRefusal(
            .badRequest, "failed to parse userHandle as uuid",
            count.map {
                "Expected the 16 bytes of a user's UUID as “userHandle”, found \($0) bytes; "
                    + "it is user.id of the creation options as it came, not a UUID as text."
            }
                ?? "The options named no user, so the response must: “userHandle” is missing. Security keys without "
                + "discoverable credentials leave it out; send user_id to initialize for those.")
    }

    static func userOfResponseGone(_ id: String) -> HankoRefusal {
        HankoRefusal(.unauthorized, nil, "The response names the user \(id), who does not exist.")
            .ofUnknownUser
    }

    static func attestation(_ refusal: WebAuthnRefusal) -> HankoRefusal {
        if refusal.check == .userVerification {
            return HankoRefusal(
                .unprocessableContent,
                "failed to validate attestation: Error validating the authenticator response: "
                    + "User verification required but flag not set by authenticator", refusal.sentence)
        }
        return HankoRefusal(.badRequest, "failed to validate attestation", refusal.sentence)
    }

    static func assertion(_ refusal: WebAuthnRefusal) -> HankoRefusal {
        HankoRefusal(
            refusal.check == .signCount ? .badRequest : .unauthorized, "failed to validate assertion",
            refusal.sentence, audit: "assertion validation failed")
    }

    // MARK: Credentials

    static func credentialNotYours(_ id: String) -> HankoRefusal {
        HankoRefusal(
            .notFound, nil,
            "The signed-in user has no credential with the id “\(id.prefix(100))”; GET /webauthn/credentials lists them."
        )
    }
}

extension PostedCredentialFault.Part {
    fileprivate func message(in ceremony: Ceremony) -> String {
        switch (ceremony, self) {
        case (.registration, .json), (.registration, .idMissing), (.registration, .idEncoding),
            (.registration, .type):
            "Parse error for Registration"
        case (.registration, _): "Error parsing attestation response"
        case (.authentication, .json), (.authentication, .clientData), (.authentication, .attestationObject):
            "Parse error for Assertion"
        case (.authentication, .idMissing): "CredentialAssertionResponse with ID missing"
        case (.authentication, .idEncoding): "CredentialAssertionResponse with ID not base64url encoded"
        case (.authentication, .type): "CredentialAssertionResponse with bad type"
        case (.authentication, .authenticatorData): "Error unmarshalling auth data"
        }
    }
}
