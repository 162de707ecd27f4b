import HTTP
import WebAuthn

/// Refusals of the WebAuthn endpoints.
enum WebAuthnFault: Sendable, Equatable {
    /// Why the challenge that a response answers counts for nothing.
    enum ChallengeFault: Sendable, Equatable {
        /// As it came, in base64url; the encoding in which its bytes are the text of a challenge that waits.
        case unknown(String, encodedTwice: String?)
        case ofOtherCeremony
        case ofAnother(String, signedInAs: String)
    }

    // Options.
    case userIDUnparsable(String)
    case userUnknown(String)
    /// A user without a primary address has no name to show.
    case nameless(String)

    // Responses.
    case unreadable(PostedCredentialFault, Ceremony)
    case challenge(ChallengeFault, Ceremony)
    /// - count: bytes of the handle; nil when there was none.
    case userHandleMalformed(count: Int?)
    case userOfResponseGone(String)
    case attestation(WebAuthnRefusal)
    case assertion(WebAuthnRefusal)

    // Credentials.
    case credentialNotYours(String)
}

extension WebAuthnFault {
    /// Status, and the message where it is not the standard reason phrase.
    ///
    /// Source: Hanko 2.7, the handlers of the WebAuthn endpoints and the library below them.
    var wire: (status: Status, message: String?) {
        switch self {
        case .userIDUnparsable: (.badRequest, "failed to parse UserID as uuid")
        case .userUnknown: (.badRequest, "user not found")
        case .nameless: (.internalServerError, nil)

        case .unreadable(let fault, .registration): (.badRequest, Self.registrationMessage(fault.part))
        case .unreadable(let fault, .authentication): (.badRequest, Self.loginMessage(fault.part))
        case .challenge(_, let ceremony):
            (
                ceremony == .registration ? .badRequest : .unauthorized,
                "Stored challenge and received challenge do not match"
            )
        case .userHandleMalformed: (.badRequest, "failed to parse userHandle as uuid")
        case .userOfResponseGone: (.unauthorized, nil)
        case .attestation(let refusal) where refusal.check == .userVerification:
            (
                .unprocessableContent,
                "failed to validate attestation: Error validating the authenticator response: "
                    + "User verification required but flag not set by authenticator"
            )
        case .attestation: (.badRequest, "failed to validate attestation")
        case .assertion(let refusal):
            (
                refusal.check == .signCount ? .badRequest : .unauthorized,
                "failed to validate assertion"
            )

        case .credentialNotYours: (.notFound, nil)
        }
    }

    private static func registrationMessage(_ part: PostedCredentialFault.Part) -> String {
        switch part {
        case .json, .idMissing, .idEncoding, .type: "Parse error for Registration"
        case .clientData, .attestationObject, .authenticatorData: "Error parsing attestation response"
        }
    }

    private static func loginMessage(_ part: PostedCredentialFault.Part) -> String {
        switch part {
        case .json, .clientData, .attestationObject: "Parse error for Assertion"
        case .idMissing: "CredentialAssertionResponse with ID missing"
        case .idEncoding: "CredentialAssertionResponse with ID not base64url encoded"
        case .type: "CredentialAssertionResponse with bad type"
        case .authenticatorData: "Error unmarshalling auth data"
        }
    }

    var explanation: String {
        switch self {
        case .userIDUnparsable(let id):
            "Expected a UUID in \"user_id\", found \"\(id.prefix(60))\"; leave it out to let the passkey say who signs in."
        case .userUnknown(let id): "There is no user \(id) whose options could be made."
        case .nameless(let id):
            "The user \(id) has no primary address, which is the name that a passkey carries; "
                + "the original breaks here as well. Confirm an address first."

        case .unreadable(let fault, _): "The posted credential cannot be read: \(fault.reason)."
        case .challenge(let fault, let ceremony): Self.explanation(of: fault, ceremony)
        case .userHandleMalformed(nil):
            "The options named no user, so the response must: \"userHandle\" is missing. "
                + "Security keys without discoverable credentials leave it out; send user_id to initialize for those."
        case .userHandleMalformed(let count?):
            "Expected the 16 bytes of a user's UUID as \"userHandle\", found \(count) bytes; "
                + "it is user.id of the creation options as it came, not a UUID as text."
        case .userOfResponseGone(let id): "There is no user \(id), whom the response names."
        case .attestation(let refusal), .assertion(let refusal): refusal.sentence

        case .credentialNotYours(let id):
            "The signed-in user has no credential with the id \"\(id.prefix(100))\"; GET /webauthn/credentials lists them."
        }
    }

    private static func explanation(of fault: ChallengeFault, _ ceremony: Ceremony) -> String {
        switch fault {
        case .unknown(_, let encoding?):
            "The challenge is encoded twice: hand its bytes to the authenticator, not their text in \(encoding)."
        case .unknown(let text, nil):
            "The challenge \"\(text.prefix(60))\" waits for no answer: used up by a success, or never given out in this world. "
                + "Call initialize for every ceremony."
        case .ofOtherCeremony:
            "The challenge was given out for the other ceremony; this is the end of a \(ceremony.rawValue)."
        case .ofAnother(let userID, let signedInAs):
            "The challenge was given out to the user \(userID), but the session is the user \(signedInAs)'s."
        }
    }
}
