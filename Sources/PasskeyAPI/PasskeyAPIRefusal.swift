import Essentials
package import HTTP
import PlatformKit
import WebAuthn

/// Every refusal of the Passkey API: `{"title": …, "details": …, "status": …}`. Source: the vendor's server, its handlers.
struct PasskeyAPIRefusal: Refusal {
    let status: Status
    let title: String
    /// Empty where the original says nothing more.
    let details: String
    let explanation: String

    private init(_ status: Status, _ title: String, _ details: String = "", _ explanation: String) {
        (self.status, self.title, self.details, self.explanation) = (status, title, details, explanation)
    }
}

// Callers.
extension PasskeyAPIRefusal {
    static func tenantMalformed(_ id: String) -> Self {
        Self(
            .badRequest, "tenant_id must be a valid uuid4", "",
            "The first segment of the path should be the UUID of a tenant; it is “\(id.prefix(80))”.")
    }

    static func tenantUnknown(_ id: String) -> Self {
        Self(
            .notFound, "tenant not found", "",
            "There is no tenant “\(id.prefix(80))”; the fixtures list them as passkeyapi.tenants.")
    }

    static func apiKeyMissing() -> Self {
        Self(
            .unauthorized, "api key is missing", "",
            "A login of one user (“user_id”) is begun by a back end, with an API key of the tenant in the field apiKey."
        )
    }

    static func apiKeyWrong(_ key: String?) -> Self {
        Self(
            .unauthorized, "The api key is invalid", "api keys needs to be an apiKey Header and 32 byte long",
            (key.map { "The field apiKey has “\($0.prefix(6))…”, which is no key of this tenant" }
                ?? "The field apiKey is missing")
                + "; the fixtures list the keys as passkeyapi.tenants[].api_keys.")
    }
}

// Bodies.
extension PasskeyAPIRefusal {
    static func bodyUnreadable(_ reason: String) -> Self {
        Self(
            .badRequest, "unable to process request", reason,
            "The body cannot be read: \(reason).")
    }

    static func mediaTypeUnsupported(_ type: String?) -> Self {
        Self(
            .badRequest, "unable to process request", "Unsupported Media Type",
            "The body should be JSON by its Content-Type; that is \(type.map { "“\($0.prefix(60))”" } ?? "missing")."
        )
    }

    /// - Parameter faults: sentences without a full stop, such as `user_id is a required field`.
    static func invalid(_ faults: [String]) -> Self {
        Self(
            .badRequest, "unable to validate request", faults.joined(separator: " and "),
            "The request is refused: \(faults.joined(separator: ", and ")).")
    }

    static func queryWrong(_ sentence: String) -> Self {
        Self(.badRequest, "unable to list audit logs", "", sentence)
    }

    static func userIDMalformed(_ id: String) -> Self {
        Self(
            .badRequest, "invalid user id", "",
            "Transactions are listed by users whose id is a UUID; it is “\(id.prefix(80))”.")
    }

    static func unreadable(_ fault: PostedCredentialFault, _ operation: Challenge.Operation) -> Self {
        let title =
            switch operation {
            case .registration: "unable to parse credential creation response"
            case .authentication: "unable to finish login"
            case .transaction: "unable to finish transaction"
            }
        return Self(
            .badRequest, title, fault.reason, "The posted credential cannot be read: \(fault.reason).")
    }
}

// What is there, or not.
extension PasskeyAPIRefusal {
    static func credentialUnknown(_ id: String) -> Self {
        Self(
            .notFound, "credential with id '\(id)' not found", "",
            "The tenant has no credential “\(id.prefix(100))”; GET /credentials lists them.")
    }

    /// At the beginning of a login.
    static func userUnknown(_ id: String) -> Self {
        Self(
            .notFound, "user not found", "",
            "The tenant has no user “\(id.prefix(80))”; one comes to be with its first registration.")
    }

    /// At the beginning of a transaction.
    static func userOfTransactionUnknown(_ id: String) -> Self {
        Self(
            .notFound, "unable to find user", "",
            "The tenant has no user “\(id.prefix(80))”; one comes to be with its first registration.")
    }

    static func transactionTaken(_ identifier: String) -> Self {
        Self(
            .conflict, "transaction already exists", "",
            "The tenant has a transaction “\(identifier.prefix(80))” already; each needs an id of its own.")
    }

    static func noCredentials(of user: String, _ operation: Challenge.Operation) -> Self {
        let explanation = "The user “\(user.prefix(80))” has no credential that will do; register one first."
        return operation == .transaction
            ? Self(.badRequest, "user has no suitable credentials for this operation", "", explanation)
            : Self(
                .internalServerError,
                "failed to create webauthn assertion options for login: Found no credentials for user", "",
                explanation + " The original breaks here, with 500.")
    }
}

// Answers to challenges.
extension PasskeyAPIRefusal {
    static func challengeUnknown(_ unknown: ChallengeUnknown, _ operation: Challenge.Operation) -> Self {
        let explanation =
            unknown.encodedTwice.map {
                "The challenge is encoded twice: hand its bytes to the authenticator, not their text in \($0)."
            }
            ?? "The challenge “\(unknown.challenge.prefix(60))” of a \(operation.rawValue) is not waiting for an answer in this tenant: it was "
            + "used already, is of another ceremony, or was never issued. Call initialize for every ceremony."
        let words = "received challenge does not match with any stored one"
        return operation == .registration
            ? Self(.badRequest, words, "", explanation)
            : Self(.unauthorized, "failed to get session data", words, explanation)
    }

    static func userGone(_ id: String, _ operation: Challenge.Operation) -> Self {
        let explanation = "The response is of the user “\(id.prefix(80))”, whom the tenant does not have."
        return operation == .registration
            ? Self(.notFound, "user not found", "", explanation)
            : Self(.unauthorized, "failed to get user handle", "user not found", explanation)
    }

    static func attestation(_ refusal: WebAuthnRefusal) -> Self {
        if refusal.check == .userVerification {
            let words =
                "Error validating the authenticator response: User verification required but flag not set by authenticator"
            return Self(
                .unprocessableContent, "failed to validate attestation: \(words)", words, refusal.explained)
        }
        return Self(
            .badRequest, "failed to validate attestation", "Error validating the authenticator response",
            refusal.explained)
    }

    static func assertion(_ refusal: WebAuthnRefusal) -> Self {
        Self(
            .unauthorized, "failed to validate assertion",
            "Error validating the assertion signature or its data",
            refusal.explained)
    }

    static func secondFactorAlone(_ id: String, _ operation: Challenge.Operation) -> Self {
        let use = operation == .transaction ? "transactions" : "normal login"
        return Self(
            .badRequest, "MFA credentials are not usable for \(use)", "",
            "The credential “\(id.prefix(60))” was registered below /mfa, and is a second factor alone.")
    }

    static let adminAPI = Self(
        .notImplemented, "not emulated", "",
        "The admin API of the Passkey API is not emulated: tenants, API keys and settings come from the fixtures, passkeyapi.tenants."
    )
}

extension WebAuthnRefusal {
    /// The explanation as a sentence, which also says where a line for the fixtures belongs.
    fileprivate var explained: String {
        fixture == nil ? explanation : explanation + " in passkeyapi.tenants[].relying_party."
    }
}

extension PasskeyAPI {
    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let refusal as PasskeyAPIRefusal: return wire(refusal.status, refusal.title, refusal.details)
        case let unknown as RouteUnknown:
            var response = wire(unknown.status, unknown.status.reason, "")
            response.headers["Allow"] = unknown.allow
            return response
        case is RequestMalformed: return wire(.badRequest, "unable to process request", "")
        default: return wire(.internalServerError, "Internal Server Error", nil)
        }
    }

    /// The one shape of all refusals.
    private static func wire(_ status: Status, _ title: String, _ details: String?) -> Response {
        var members: [String: JSONValue] = ["title": .string(title), "status": .integer(status.code)]
        members["details"] = details.map(JSONValue.string)
        return .passkeyAPI(.object(members), status: status)
    }
}
