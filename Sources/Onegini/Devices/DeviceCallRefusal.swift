import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals that many endpoints of the device protocol share: who calls, and whether the call can be read.
struct DeviceCallRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
    /// The access token is of a stateless user, who has no profile.
    private(set) var isStateless = false
    /// Of a profile that is gone.
    private(set) var deregisteredProfile: String?

    private init(_ wire: OAuthWire, _ explanation: String) {
        (self.wire, self.explanation) = (wire, explanation)
    }
}

extension DeviceCallRefusal {
    /// - Parameter sdkCode: 9008 while a device registers, otherwise 10015.
    static func requestInvalid(_ reason: String, sdkCode code: Int) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The request is malformed", code),
            reason)
    }

    // MARK: - The access token. The reason is a sentence

    static func tokenInvalid(_ reason: String) -> Self {
        Self(
            .device(
                .unauthorized, "invalid_token", "The access token is missing or not valid", 9010,
                headers: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")]),
            reason)
    }

    static func tokenForeign(clientID: String, kind: String) -> Self {
        Self(
            .device(
                .unauthorized, "invalid_token", "The access token is missing or not valid", 9010,
                headers: [("WWW-Authenticate", "Bearer error=\"invalid_token\"")]),
            "The access token was issued to the client “\(clientID)” of kind \(kind); here it must be one of a mobile "
                + "client, issued for a user on a device.")
    }

    static func tokenStateless(subject: String) -> Self {
        var refusal = Self(
            .device(.forbidden, "stateless_token", "The access token is for a stateless user", 9033),
            "The access token of “\(subject)” is stateless: such a user has no profile on the device, so nothing "
                + "can be enrolled or fetched. Register without the stateless grant type.")
        refusal.isStateless = true
        return refusal
    }

    static func clientNotMobile(clientID: String, kind: String) -> Self {
        Self(
            OAuthWire(
                .unauthorized, "invalid_client", "The client is not a mobile one",
                headers: [("WWW-Authenticate", "Basic realm=\"Token Server\"")]),
            "The credentials of “\(clientID)” are right, but it is a client of kind \(kind), not the registration of a "
                + "mobile application. Register a device first: POST /sdk/v1/clients/challenge.")
    }

    static func deviceDeregistered(clientID: String, because reason: String?) -> Self {
        Self(
            .device(
                .unauthorized, "invalid_client", "The device is not registered any more", 9002,
                headers: [("WWW-Authenticate", "Basic realm=\"Token Server\"")],
                members: ["onegini_error": "device_deregistered"]),
            "The device \(clientID) was removed. " + (reason ?? "Its tombstone is too old to say why.")
                + " The app has to wipe its data and register again.")
    }

    static func userDeregistered(profileID: String, because reason: String?) -> Self {
        var refusal = Self(
            .device(
                .forbidden, "user_deregistered", "The user is not registered on this device any more", 9003),
            "The profile \(profileID) was removed from the device. "
                + (reason ?? "Its tombstone is too old to say why.")
                + " The app has to delete the profile; its user registers again.")
        refusal.deregisteredProfile = profileID
        return refusal
    }

    /// The token is for one profile and the request names another.
    static func profileMismatch(named: String, token: String) -> Self {
        Self(
            .device(.forbidden, "profile_mismatch", "The access token is for another profile", 10015),
            "The request names the profile “\(named.prefix(40))”, the access token was issued for \(token)."
        )
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
