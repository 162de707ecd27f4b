import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals around access sessions: between a browser, or a back end, and the phone.
///
/// Source: trust-sdk-android for the codes; Milagro MFA SDK core for what it makes of each status.
struct SessionRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
    /// Whether a person at a browser hears it.
    var isPage = false

    var page: Page? {
        guard isPage else { return nil }
        return Page(
            "No such login", status: .notFound,
            """
            <h1>There is no such login</h1>
            <p>It is over for long. Go back to where you wanted to sign in, and begin anew.</p>
            """)
    }
}

extension SessionRefusal {
    init(_ refusal: any OAuthRefusal) {
        let wire = refusal.wire
        self = .authorizationRefused(
            wire.status, code: wire.error, summary: wire.description, explanation: refusal.explanation)
    }

    /// An authorization request that OpenID Connect refuses, told as JSON since an app asked.
    static func authorizationRefused(_ status: Status, code: String, summary: String?, explanation: String)
        -> Self
    {
        Self(
            wire: MIRACLWire(status, code, summary ?? "The authorization request is refused"),
            explanation: explanation)
    }

    static func accessCodeUnknown(_ wid: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "INVALID_AUTH_SESSION", "Invalid or expired session"),
            explanation:
                "No access session has the access code or number “\(wid.prefix(40))”. The access code is the part after # in "
                + "qrURL; sessions are forgotten an hour after their end, and with a reset.")
    }

    static func sessionExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "INVALID_AUTH_SESSION", "Invalid or expired session"),
            explanation:
                "The access session expired at \(at.text); lifetimes.session of the project's fixtures says how long one lives."
        )
    }

    static func sessionOver(_ state: AccessSession.State) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "INVALID_AUTH_SESSION", "Invalid or expired session"),
            explanation:
                "The access session is over: it is \(state.rawValue); an app needs a new access code.")
    }

    static func statusUnknown(_ status: String) -> Self {
        Self(
            wire: .parameter("status"),
            explanation:
                "Expected “status” to be wid, user, abort or signed, found “\(status.prefix(40))”.")
    }

    static func signatureMalformed(_ reason: String) -> Self {
        Self(
            wire: .parameter("signature"),
            explanation: reason)
    }

    static func webOTTUnknown(isPage: Bool) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "INVALID_AUTH_SESSION", "Invalid or expired session"),
            explanation:
                "No access session has this webOTT: it comes with accessId in the answer that began the session. Sessions are "
                + "forgotten an hour after their end, and with a reset.",
            isPage: isPage)
    }

    /// How many identities the user has in the project.
    static func pushTokenMissing(userID: String, identities count: Int) -> Self {
        Self(
            wire: MIRACLWire(.badRequest, "NO_PUSH_TOKEN", "The user has no device that takes pushes"),
            explanation:
                "No identity of \(userID.prefix(80)) in this project that can sign in has a push token (it has \(count) in all): an "
                + "app sends pushToken when it registers.")
    }

    static var accessNumbersUsedUp: Self {
        Self(
            wire: MIRACLWire(.serviceUnavailable, "SERVICE_UNAVAILABLE", "No access number is free"),
            explanation: "Twenty access numbers were drawn, and all of them are in use.")
    }

    /// Why the address makes no QR code.
    static func codeUnshowable(_ reason: String) -> Self {
        Self(
            wire: MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "No QR code can be made"),
            explanation: "The address for the phone cannot be shown as a QR code. \(reason)")
    }
}
