import Essentials
import HTTP
import PlatformKit

/// Refusals where a user proves to be the owner of an id.
///
/// Source: trust-sdk-android for the codes; Milagro MFA server for the classic ones.
struct VerificationRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
    /// Whether a person at a browser hears it.
    var isPage = false

    var page: Page? { isPage ? ConfirmationPage.refused(explanation) : nil }
}

extension VerificationRefusal {
    static func backoff(until: Date) -> Self {
        Self(
            wire: MIRACLWire(
                .tooManyRequests, "REQUEST_BACKOFF", "Too many verification requests",
                ["backoff": String(until.unixSeconds)]),
            explanation:
                "The user was sent a mail just now; the next one goes out from \(until.text) on. backoff of the project in the "
                + "fixtures says how many seconds lie between two; it may be 0.")
    }

    /// The customer verifies its users itself.
    static func mailsOff(projectID: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "The project verifies its users itself"),
            explanation:
                "verification_method of the project “\(projectID)” is custom: its back end asks for a link with POST "
                + "/verification and its credentials, no mail is sent.")
    }

    static func codeRefused(
        _ fault: RegistrationRefusal.CodeFault, projectID: String, accessID: String, isPage: Bool
    ) -> Self {
        Self(
            wire: MIRACLWire(
                .badRequest, "UNSUCCESSFUL_VERIFICATION", "Invalid or expired verification code",
                ["projectId": projectID, "accessId": accessID]),
            explanation: "The verification code is not good: \(fault.words)", isPage: isPage)
    }

    static func linkIncomplete(_ name: String) -> Self {
        Self(
            wire: .parameter(name),
            explanation: "The link lacks “\(name)”: it was not taken whole from the mail.",
            isPage: true)
    }

    /// Why the proof of a device is none.
    static func jwtRefused(_ reason: String) -> Self {
        Self(
            wire: MIRACLWire(.unauthorized, "UNAUTHORIZED", "Unauthorized"),
            explanation: reason)
    }

    static var codesOff: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "The project gives out no codes"),
            explanation: "enable_registration_code of the project is false: devices give out no codes.")
    }

    static func codesLimited(_ origin: Identity.Origin) -> Self {
        Self(
            wire: MIRACLWire(
                .forbidden, "LIMITED_QUICKCODE_GENERATION",
                "Generating a code is not allowed for this identity"),
            explanation:
                "This device was itself registered with a code (\(origin.rawValue)), and limit_reg_code_verified of the project "
                + "lets such devices give out none.")
    }

    static var activateKeyWrong: Self {
        Self(
            wire: MIRACLWire(.unauthorized, "UNAUTHORIZED", "Invalid activateKey"),
            explanation:
                "The activateKey is not the one that the customer's verifier was told for this M-Pin id.")
    }

    static func activationUnknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.unauthorized, "UNAUTHORIZED", "M-Pin ID not found"),
            explanation: "No registration waiting for confirmation has the M-Pin id \(id.prefix(24))…."
        )
    }

    static func verifierRefused(url: String, _ status: Status) -> Self {
        let isUsersFault = (400...499).contains(status.code)
        return Self(
            wire: isUsersFault
                ? MIRACLWire(status, "FORBIDDEN", "The user is not allowed to register")
                : MIRACLWire(.internalServerError, "INTERNAL_SERVER_ERROR", "The verifier cannot be used"),
            explanation:
                "The customer's verifier at \(url) refused the registration with \(status.code); it is taken away."
        )
    }

    /// Why its answer cannot be used.
    static func verifierSilent(_ reason: String) -> Self {
        Self(
            wire: MIRACLWire(.internalServerError, "INTERNAL_SERVER_ERROR", "The verifier cannot be used"),
            explanation:
                "The customer's verifier, verifier_url of the project in the fixtures, gave no answer that can be used. \(reason)"
        )
    }
}
