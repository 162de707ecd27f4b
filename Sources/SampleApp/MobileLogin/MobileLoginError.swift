import Essentials
import HTTP
import PlatformKit

/// Every refusal of the back end of the mobile app.
enum MobileLoginError: Refusal, Equatable {
    case requestMalformed(String)
    /// Neither a registration nor a token says which device shall be asked.
    case deviceUnnamed
    /// The platform has no such registration.
    case deviceUnknown(String)
    /// The header that proves the device is not there.
    case proofMissing(String)
    case codeRefused(status: String?, attemptsLeft: Int?)
    case factorsTooFew(String?)
    case tokenRefused(status: String?)
    /// The token belongs to somebody else than the login.
    case tokenOfAnother(got: String, expected: String)
    /// No login of this session has that operation.
    case loginUnknown(String, hasSession: Bool)
    case notApproved(String)
    case usedAlready(String)
    case otherUser(got: String?, expected: String)
    case otherRegistration(got: String?, expected: String)
    case tooLate(seconds: Int, limit: Int)
    case otherDevice(member: String, got: String?, expected: String?)
    case nobodyLoggedIn

    // What PowerAuth Cloud answers.
    case platformSilent(String)
    case platformRefused(String, status: Int, String)
    case platformConfused(String)

    /// How the app hears it: 401 when the proof is bad, 403 when the login is.
    var wire: (status: Status, code: String) {
        switch self {
        case .requestMalformed, .deviceUnnamed: (.badRequest, "invalid_request")
        case .deviceUnknown: (.badRequest, "device_unknown")
        case .proofMissing: (.unauthorized, "authentication_required")
        case .codeRefused, .tokenRefused: (.unauthorized, "authentication_failed")
        case .factorsTooFew: (.forbidden, "factors_insufficient")
        case .tokenOfAnother: (.forbidden, "device_mismatch")
        case .loginUnknown: (.forbidden, "login_unknown")
        case .notApproved: (.forbidden, "not_approved")
        case .usedAlready: (.forbidden, "already_used")
        case .otherUser, .otherRegistration, .otherDevice: (.forbidden, "device_mismatch")
        case .tooLate: (.forbidden, "too_late")
        case .nobodyLoggedIn: (.unauthorized, "not_logged_in")
        case .platformSilent, .platformRefused, .platformConfused: (.badGateway, "platform_failed")
        }
    }

    var response: Response {
        let (status, code) = wire
        var response = Response(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: JSONValue.object(["error": .string(code)]).bytes)
        if status == .unauthorized { response.headers["WWW-Authenticate"] = "PowerAuth" }
        return response
    }
}
