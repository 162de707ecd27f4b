import DeviceKit
import Essentials

extension MIRACLDevice {
    /// What the device was about when it was refused; the SDKs name errors by it.
    enum Purpose: String {
        case settings
        case registration = "Registration"
        case confirmation
        case secondShare
        case timePermit
        case authentication = "Authentication"
        case sessionDetails = "AuthenticationSession"
        case verification = "Verification"
        case activationToken = "ActivationToken"
        case quickCode = "QuickCode"
        case signing = "Signing"
    }

    /// As what the SDK of the device's generation reports the answer.
    func refusal(_ response: DeviceResponse, _ purpose: Purpose) -> SDKRefusal {
        let code = response.json?["error"]?.string
        let sdk = generation.isTrust ? Self.trust(code, purpose) : Self.native(response.status, purpose)
        return SDKRefusal(sdk, response, code: code)
    }

    /// Statuses of the native SDK, which reads the HTTP status alone. Source: headers of the MFA SDK; the M-Pin SDK core.
    private static func native(_ status: Int, _ purpose: Purpose) -> SDKRefusal.SDKError {
        switch (status, purpose) {
        case (400, .confirmation), (401, .confirmation): .init("IDENTITY_NOT_VERIFIED", 8)
        case (404, .confirmation): .init("REGISTRATION_EXPIRED", 19)
        case (408, _): .init("REQUEST_EXPIRED", 9)
        case (410, .timePermit): .init("REVOKED", 10)
        case (401, .authentication), (410, .authentication): .init("INCORRECT_PIN", 11)
        case (412, .authentication): .init("INCORRECT_ACCESS_NUMBER", 12)
        case (409, .authentication): .init("CLIENT_SECRET_EXPIRED", 16)
        case (406, _): .init("BAD_USER_AGENT", 15)
        case (403, _): .init("IDENTITY_NOT_AUTHORIZED", 7)
        case (500..., _): .init("HTTP_SERVER_ERROR", 13)
        default: .init("HTTP_REQUEST_ERROR", 14)
        }
    }

    /// Exceptions of the Trust SDKs, which read the code alone. Source: the Trust SDK for Android.
    private static func trust(_ code: String?, _ purpose: Purpose) -> SDKRefusal.SDKError {
        let cases = [
            "INVALID_ACTIVATION_TOKEN": "InvalidActivationToken", "REQUEST_BACKOFF": "RequestBackoff",
            "UNSUCCESSFUL_AUTHENTICATION": "UnsuccessfulAuthentication", "REVOKED_MPINID": "Revoked",
            "EXPIRED_MPINID": "Revoked", "INVALID_AUTH_SESSION": "InvalidAuthenticationSession",
            "UNSUCCESSFUL_VERIFICATION": "UnsuccessfulVerification",
        ]
        let failures: [Purpose: String] = [
            .sessionDetails: "GetAuthenticationSessionDetailsFail", .quickCode: "GenerationFail",
            .activationToken: "GetActivationTokenFail",
        ]
        let named = code.flatMap { cases[$0] }
        return .init(
            "\(purpose.rawValue)Exception." + (named ?? failures[purpose] ?? purpose.rawValue + "Fail"))
    }
}
