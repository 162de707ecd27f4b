import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension MIRACL {
    /// `PUT /rps/v2/user`: a user wants an identity on a device.
    ///
    /// - Request: `{"userId", "mobile"?, "deviceName"?, "wid"?, "activateCode"?, "userData"?, "pushToken"?}`.
    /// - Response: `200 {"mpinId", "regOTT", "nowTime", "expireTime", "active", "customerId", "projectId", "appId", "pinLength",
    ///   "verificationType"}`; times in seconds. Not active: a mail was sent.
    ///   A client that names no project means that of its `activateCode`.
    /// - Errors: `400` without a user id; `403 FORBIDDEN` for a user who may not; `403 INVALID_ACTIVATION_TOKEN`.
    /// - Source: Milagro MFA SDK core; Milagro MFA server; client-js 4 to 7; trust-sdk-ios.
    func startRegistration(_ request: Request) throws -> Response {
        let input = try Members(request)
        let userID = try input.text("userId")
        let project = try projects.require(
            request, named: input.optionalText("projectId"), ofToken: input.optionalText("activateCode"),
            OneTimeCode.activationKinds, of: userID, or: .activationCode(.unknown))
        try project.requireAdmitted(userID)
        var identity = try registrations.makeIdentity(
            of: userID, in: project, deviceName: input.optionalText("deviceName"), state: .pending,
            origin: nil)
        identity.pushToken = try input.optionalText("pushToken")
        if project.forcesActivation(of: userID) { (identity.state, identity.origin) = (.verified, .forced) }
        let begun = try registrations.begin(identity, in: project, input, request)
        return .answer(
            registrations.answer(begun.identity, in: project, appID: begun.session?.authorization?.clientID))
    }

}

extension Project {
    /// Source: trust-sdk-android for the two words.
    var verificationType: String { method == .custom ? "fullCustom" : "standardEmail" }
}
