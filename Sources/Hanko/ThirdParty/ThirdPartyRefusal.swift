import Essentials
import HTTP
import PlatformKit

/// Why a sign-in with a provider ends. The browser takes ``code`` and ``description`` along to where it is sent.
///
/// Source: Hanko 2.7, error codes of the third-party endpoints and their tests; descriptions that they do not have are our own.
struct ThirdPartyRefusal: Refusal, Equatable {
    let code: String
    /// `error_description`.
    let description: String
    let explanation: String
    /// The parameter that is to blame, as flows call it; nil for what no other input would mend.
    var input: String?

    init(_ code: String, _ description: String, _ explanation: String) {
        (self.code, self.description, self.explanation) = (code, description, explanation)
    }

    init(_ description: String, _ explanation: String, input: String? = nil) {
        self.init("invalid_request", description, explanation)
        self.input = input
    }

    /// Where there is no place to send the browser to.
    var answer: HankoRefusal { HankoRefusal(.badRequest, description, explanation) }
}

// MARK: - Beginning

extension ThirdPartyRefusal {
    static let providerMissing = ThirdPartyRefusal(
        "code=400, message=Provider is a required field", "Expected the parameter “provider”.",
        input: "provider")

    static func providerUnknown(_ name: String, known: [String]) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "unknown provider: \(name.lowercased().prefix(60))",
            "There is no provider “\(name.prefix(60))”"
                + (known.isEmpty
                    ? "; none is enabled under config.third_party."
                    : ", only \(known.joined(separator: ", "))."),
            input: "provider")
    }

    static func providerDisabled(_ id: String, known: [String]) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            id.hasPrefix("custom_") ? "provider \(id) is disabled" : "\(id) provider is disabled",
            "The provider “\(id)” is not enabled under config.third_party"
                + (known.isEmpty ? ", nor is any other." : ", only \(known.joined(separator: ", "))."),
            input: "provider")
    }

    static let redirectMissing = ThirdPartyRefusal(
        "code=400, message=RedirectTo is a required field", "Expected the parameter “redirect_to”.",
        input: "redirect_to")

    static func redirectRefused(_ url: String, allowed: [String]) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "redirect to '\(url)' not allowed",
            "No browser is sent to “\(url.prefix(200))”: config.third_party.allowed_redirect_urls "
                + (allowed.isEmpty ? "is empty." : "has \(allowed.joined(separator: ", "))."),
            input: "redirect_to")
    }

    /// It fits a pattern as a text, and not by its host. Source: Hanko after 3.x.
    static func redirectUnbounded(_ url: String, _ reason: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "redirect to '\(url)' not allowed",
            "The redirect URL “\(url.prefix(200))” fits a pattern of config.third_party.allowed_redirect_urls, but \(reason) (profile "
                + "next).",
            input: "redirect_to")
    }

    static func redirectTooLong(bytes: Int) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "redirect_to is too long: \(bytes) bytes",
            "Expected at most \(ThirdPartyState.redirectLimit) bytes in “redirect_to”, a limit of ours, found \(bytes).",
            input: "redirect_to")
    }

    static func verifierTooLong(bytes: Int) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "code_verifier is too long: \(bytes) characters",
            "Expected at most \(ThirdPartyState.verifierLimit) characters in “code_verifier” (RFC 7636 §4.1), found \(bytes).",
            input: "code_verifier")
    }

    /// The provider's page could not be found out.
    static func pageUnknown(_ reason: String) -> ThirdPartyRefusal { ThirdPartyRefusal(reason, reason) }
}

// MARK: - Coming back

extension ThirdPartyRefusal {
    static let stateMissing = ThirdPartyRefusal(
        "State is a required field",
        "Expected the parameter “state”, which this server sent to the provider.")

    static let stateUnknown = ThirdPartyRefusal(
        "could not decode state",
        "The state does not belong to a sign-in in progress: it was already used, or belongs to another world."
    )

    static func stateExpired(seconds: Int) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "state is expired",
            "The state expired \(seconds) s ago; a sign-in may take \(Int(ThirdPartyState.lifespanSeconds)) s."
        )
    }

    static func cookieWrong(came: Bool) -> ThirdPartyRefusal {
        came
            ? ThirdPartyRefusal(
                "could not verify state",
                "The cookie hanko_thirdparty_state belongs to another sign-in than the state.")
            : ThirdPartyRefusal(
                "expected state must not be empty",
                "The cookie hanko_thirdparty_state did not come back: the browser that returns must be the one that left, "
                    + "at the same host name.")
    }

    static let codeMissing = ThirdPartyRefusal(
        "auth code missing from request", "Expected the parameter “code” from the provider.")

    static func providerRefused(_ code: String, description: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            code, description,
            "The provider answered \(code.prefix(60))\(description.isEmpty ? "" : ": \(description.prefix(200))")."
        )
    }

    static func exchangeFailed(_ reason: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal("could not exchange authorization code for access token", reason)
    }

    static func userDataMissing(_ reason: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal("could not retrieve user data from provider", reason)
    }
}

// MARK: - Trading the token

extension HankoRefusal {
    static func tokenUnknown(_ value: String, isFlow: Bool) -> HankoRefusal {
        HankoRefusal(
            .notFound, "token not found",
            isFlow
                ? "The token is one of a flow; the action exchange_token of that flow trades it, not POST /token."
                : "There is no token “\(value.prefix(60))”: it was already used, or never issued.")
    }

    static func tokenExpired(seconds: Int) -> HankoRefusal {
        HankoRefusal(
            .unprocessableContent, "token has expired",
            "The token expired \(seconds) s ago; it is valid for \(Int(ThirdPartyToken.lifespanSeconds)) s.")
    }
}

// MARK: - Whose the account is

extension ThirdPartyRefusal {
    static let addressMissing = ThirdPartyRefusal(
        "could not retrieve user data from provider",
        "The provider did not send “email”, which is needed to register.")

    static func userConflict(_ address: String, userID: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "user_conflict", "third party account linking for existing user with same email disallowed",
            "The address \(address) belongs to the user \(userID), and the provider may not be linked: "
                + "“allow_linking” is false.")
    }

    static func identityTaken(userID: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "identity already exists for a different user",
            "The account at the provider belongs to the user \(userID) already.")
    }

    static func multipleAccounts(_ address: String, userID: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "multiple_accounts",
            "cannot identify associated user: '\(address)' is used by multiple accounts",
            "The provider's address became \(address), which belongs to another user, \(userID).")
    }

    static func addressUnverified(_ address: String) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "unverified_email", "third party provider email must be verified",
            "The provider has not verified \(address), and config.email.require_verification is true.")
    }

    static func tooManyAddresses(limit: Int) -> ThirdPartyRefusal {
        ThirdPartyRefusal(
            "email_maxnum", "max number of email addresses reached",
            "The user has \(limit.counted("address", "addresses")), all that config.email.limit allows.")
    }

    static let signupOff = ThirdPartyRefusal(
        "signup_disabled", "account signup is disabled",
        "Registration is switched off: account.allow_signup is false.")
}
