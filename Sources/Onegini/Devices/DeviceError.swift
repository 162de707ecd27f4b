import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals that many endpoints of the device protocol share: who calls, and whether the call can be read.
enum DeviceError: OAuthRefusal, Equatable {
    /// - Parameter sdkCode: 9008 while a device registers, otherwise 10015.
    case requestInvalid(String, sdkCode: Int)

    // The access token. The reason is a sentence.
    case tokenInvalid(String)
    case tokenForeign(clientID: String, kind: String)
    case tokenStateless(subject: String)

    case clientNotMobile(clientID: String, kind: String)
    case deviceDeregistered(clientID: String, because: String?)
    case userDeregistered(profileID: String, because: String?)
    /// The token is for one profile and the request names another.
    case profileMismatch(named: String, token: String)
}

extension DeviceError {
    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .requestInvalid(_, let code):
            .device(.badRequest, "invalid_request", "The request is malformed", code)
        case .tokenInvalid, .tokenForeign:
            .device(
                .unauthorized, "invalid_token", "The access token is missing or not valid", 9010,
                headers: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
        case .tokenStateless:
            .device(.forbidden, "stateless_token", "The access token is for a stateless user", 9033)
        case .clientNotMobile:
            OAuthWire(
                .unauthorized, "invalid_client", "The client is not a mobile one",
                headers: [("WWW-Authenticate", "Basic realm=\"Token Server\"")])
        case .deviceDeregistered:
            .device(
                .unauthorized, "invalid_client", "The device is not registered any more", 9002,
                headers: [("WWW-Authenticate", "Basic realm=\"Token Server\"")],
                members: ["onegini_error": "device_deregistered"])
        case .userDeregistered:
            .device(
                .forbidden, "user_deregistered", "The user is not registered on this device any more", 9003)
        case .profileMismatch:
            .device(.forbidden, "profile_mismatch", "The access token is for another profile", 10015)
        }
    }

    var explanation: String {
        switch self {
        case .requestInvalid(let reason, _), .tokenInvalid(let reason): reason
        case .tokenForeign(let clientID, let kind):
            "The access token was issued to the client \"\(clientID)\" of kind \(kind); here it must be one of a mobile "
                + "client, issued for a user on a device."
        case .tokenStateless(let subject):
            "The access token of \"\(subject)\" is stateless: such a user has no profile on the device, so nothing "
                + "can be enrolled or fetched. Register without the stateless grant type."
        case .clientNotMobile(let clientID, let kind):
            "The credentials of \"\(clientID)\" are right, but it is a client of kind \(kind), not the registration of a "
                + "mobile application. Register a device first: POST /sdk/v1/clients/challenge."
        case .deviceDeregistered(let clientID, let reason):
            "The device \(clientID) is gone. " + (reason ?? "Its tombstone is too old to say why.")
                + " The app has to wipe its data and register again."
        case .userDeregistered(let profileID, let reason):
            "The profile \(profileID) is gone from the device. "
                + (reason ?? "Its tombstone is too old to say why.")
                + " The app has to delete the profile; its user registers again."
        case .profileMismatch(let named, let token):
            "The request names the profile \"\(named.prefix(40))\", the access token was issued for \(token)."
        }
    }
}

extension OAuthWire {
    /// With the number that the SDK gives to the app. Source: the vendor's SDK headers.
    static func device(
        _ status: Status, _ error: String, _ description: String, _ sdkCode: Int,
        headers: [(name: String, value: String)] = [], members: [String: JSONValue] = [:]
    ) -> OAuthWire {
        OAuthWire(
            status, error, description, headers: headers,
            members: members.merging(["sdk_code": .integer(sdkCode)]) { kept, _ in kept })
    }
}
