import Essentials
import HTTP
import PlatformKit

/// Why a device code brings no tokens, or none yet. Source: RFC 8628 §3.5.
enum DeviceRefusal: AuditedRefusal, Equatable {
    case unknown
    case foreign(clientID: String, caller: String)
    case redeemed
    case ended(TokenEnd)
    case expired(at: Date, now: Date)
    /// By the user, or by those who were asked after the user approved.
    case denied
    /// By those who were asked about the issue, just now.
    case refused(explanation: String)
    case pending(userCode: String, secondsLeft: Int)
    /// - Parameter interval: seconds that the device has to wait from now on.
    case tooFast(secondsSinceLast: Int, interval: Int)
    case codesExhausted

    var wire: OAuthWire {
        switch self {
        case .unknown, .foreign, .redeemed, .ended:
            OAuthWire(.badRequest, "invalid_grant", "The device code is not valid")
        case .expired: OAuthWire(.badRequest, "expired_token", "The device code expired")
        case .denied, .refused: OAuthWire(.badRequest, "access_denied", "The request was declined")
        case .pending: OAuthWire(.badRequest, "authorization_pending")
        // The member tells clients that look; the standard has them add five seconds by themselves.
        case .tooFast(_, let interval):
            OAuthWire(.badRequest, "slow_down", members: ["interval": .integer(interval)])
        case .codesExhausted: OAuthWire(.serviceUnavailable, "temporarily_unavailable")
        }
    }

    var audit: AuditEvent.Kind? {
        switch self {
        case .pending, .tooFast, .codesExhausted: nil
        case .refused: .scopeInvalid
        default: .grantInvalid
        }
    }
}

extension DeviceRefusal {
    var explanation: String {
        switch self {
        case .unknown:
            "No device code has this text: it may be cut off, long forgotten, or of another world or server."
        case .foreign(let owner, let caller):
            "The device code was issued to the client \"\(owner)\", and \"\(caller)\" wants to redeem it."
        case .redeemed: "The device code was redeemed before and is good for one use."
        case .ended(let end): "The user's approval was \(end.reason.words) at \(Timestamp.text(end.at))."
        case .expired(let at, let now):
            "The device code expired \(now.seconds(since: at)) s ago, at \(Timestamp.text(at)), before it was redeemed."
        case .denied:
            "The user declined to connect the device, or whoever was asked about the tokens after the approval refused them; that "
                + "is final."
        case .refused(let explanation):
            explanation + " That is final: the device has to begin again with another code."
        case .pending(let userCode, let seconds):
            "The user has not entered \(UserCode.shown(userCode)) and approved yet; there are \(seconds) s left. The device "
                + "goes on asking."
        case .tooFast(let seconds, let interval):
            "The device asked again after \(seconds) s, sooner than it may; from now on it has to wait \(interval) s "
                + "between two requests (RFC 8628 §3.5)."
        case .codesExhausted: "No user code could be found that is not in use already."
        }
    }
}
