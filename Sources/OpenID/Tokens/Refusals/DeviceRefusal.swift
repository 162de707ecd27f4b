import Essentials
import HTTP
import PlatformKit

/// Why a device code brings no tokens, or none yet. Source: RFC 8628 §3.5.
typealias DeviceRefusal = SubjectRefusal<DeviceRequest, AuditEvent.Kind>

extension DeviceRefusal {
    private init(invalid explanation: String) {
        self.init(
            OAuthWire(.badRequest, "invalid_grant", "The device code is not valid"), event: .grantInvalid,
            explanation: explanation)
    }

    static var unknown: Self {
        Self(
            invalid:
                "No device code has this text: it may be cut off, long forgotten, or of another world or server."
        )
    }

    static func foreign(clientID owner: String, caller: String) -> Self {
        Self(
            invalid:
                "The device code was issued to the client “\(owner)”, but “\(caller)” tried to redeem it."
        )
    }

    static var redeemed: Self {
        Self(
            invalid: "The device code was redeemed before and can be used only once.")
    }

    static func ended(_ end: TokenEnd) -> Self {
        Self(
            invalid: "The user's approval was \(end.reason.words) at \(Timestamp.text(end.at)).")
    }

    static func expired(at: Date, now: Date) -> Self {
        Self(
            OAuthWire(.badRequest, "expired_token", "The device code expired"), event: .grantInvalid,
            explanation:
                "The device code expired \(now.seconds(since: at)) s ago, at \(Timestamp.text(at)), before it was redeemed."
        )
    }

    /// By the user, or by those who were asked after the user approved.
    static var denied: Self {
        Self(
            OAuthWire(.badRequest, "access_denied", "The request was declined"), event: .grantInvalid,
            explanation:
                "The user declined to connect the device, or whoever was asked about the tokens after the approval refused them; that "
                + "is final.")
    }

    /// By those who were asked about the issue, just now.
    static func refused(explanation: String) -> Self {
        Self(
            OAuthWire(.badRequest, "access_denied", "The request was declined"), event: .scopeInvalid,
            explanation: explanation + " That is final: the device has to begin again with another code.")
    }

    static func pending(userCode: String, secondsLeft seconds: Int) -> Self {
        Self(
            OAuthWire(.badRequest, "authorization_pending"),
            explanation:
                "The user has not entered \(UserCode.shown(userCode)) and approved yet; there are \(seconds) s left. The device "
                + "goes on asking.")
    }

    /// - Parameter interval: seconds that the device has to wait from now on.
    static func tooFast(secondsSinceLast seconds: Int, interval: Int) -> Self {
        Self(
            OAuthWire(.badRequest, "slow_down", members: ["interval": .integer(interval)]),
            explanation:
                "The device asked again after \(seconds) s, sooner than it may; from now on it has to wait \(interval) s "
                + "between two requests (RFC 8628 §3.5).")
    }

    static var codesExhausted: Self {
        Self(
            OAuthWire(.serviceUnavailable, "temporarily_unavailable"),
            explanation: "No user code could be found that is not in use already.")
    }
}
