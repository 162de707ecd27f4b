import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals around access sessions: between a browser, or a back end, and the phone.
enum SessionRefusal: MIRACLRefusal, Equatable {
    /// An authorization request that OpenID Connect refuses, told as JSON since an app asked.
    case authorizationRefused(Status, code: String, summary: String?, explanation: String)
    case accessCodeUnknown(String)
    case sessionExpired(Date)
    case sessionOver(AccessSession.State)
    case statusUnknown(String)
    case signatureMalformed(String)
    case webOTTUnknown(isPage: Bool)
    /// How many identities the user has in the project.
    case pushTokenMissing(userID: String, identities: Int)
    case accessNumbersUsedUp
    /// Why the address makes no QR code.
    case codeUnshowable(String)

    init(_ refusal: any OAuthRefusal) {
        let wire = refusal.wire
        self = .authorizationRefused(
            wire.status, code: wire.error, summary: wire.description, explanation: refusal.explanation)
    }

    /// Source: trust-sdk-android for the codes; Milagro MFA SDK core for what it makes of each status.
    var wire: MIRACLWire {
        switch self {
        case .authorizationRefused(let status, let code, let summary, _):
            MIRACLWire(status, code, summary ?? "The authorization request is refused")
        case .accessCodeUnknown, .sessionExpired, .sessionOver, .webOTTUnknown:
            MIRACLWire(.notFound, "INVALID_AUTH_SESSION", "Invalid or expired session")
        case .statusUnknown: Self.parameter("status")
        case .signatureMalformed: Self.parameter("signature")
        case .pushTokenMissing:
            MIRACLWire(.badRequest, "NO_PUSH_TOKEN", "The user has no device that takes pushes")
        case .accessNumbersUsedUp:
            MIRACLWire(.serviceUnavailable, "SERVICE_UNAVAILABLE", "No access number is free")
        case .codeUnshowable: MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "No QR code can be made")
        }
    }

    var page: Page? {
        guard case .webOTTUnknown(isPage: true) = self else { return nil }
        return Page(
            "No such login", status: .notFound,
            """
            <h1>There is no such login</h1>
            <p>It is over for long. Go back to where you wanted to sign in, and begin anew.</p>
            """)
    }

    private static func parameter(_ name: String) -> MIRACLWire {
        MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
    }

    var explanation: String {
        switch self {
        case .authorizationRefused(_, _, _, let explanation): explanation
        case .accessCodeUnknown(let wid):
            "No access session has the access code or number \"\(wid.prefix(40))\". The access code is what stands behind # in "
                + "qrURL; sessions are forgotten an hour after their end, and with a reset."
        case .sessionExpired(let at):
            "The access session expired at \(at.text); lifetimes.session of the project's fixtures says how long one lives."
        case .sessionOver(let state):
            "The access session is over, it is \(state.rawValue); an app needs a new access code."
        case .statusUnknown(let status):
            "Expected \"status\" to be wid, user, abort or signed, found \"\(status.prefix(40))\"."
        case .signatureMalformed(let reason): reason
        case .webOTTUnknown:
            "No access session has this webOTT: it stands beside accessId in what the session began with. Sessions are "
                + "forgotten an hour after their end, and with a reset."
        case .pushTokenMissing(let userID, let count):
            "No identity of \(userID.prefix(80)) in this project that can sign in has a push token (it has \(count) in all): an "
                + "app sends pushToken when it registers."
        case .accessNumbersUsedUp: "Twenty access numbers were drawn, and all of them are in use."
        case .codeUnshowable(let reason): "The address for the phone cannot be shown as a QR code. \(reason)"
        }
    }
}
