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
        let project = try requireProject(
            request, named: input.optionalText("projectId"), ofToken: input.optionalText("activateCode"),
            Self.activationKinds, of: userID, or: .activationCode(.unknown))
        try requireAdmitted(userID, in: project)
        var identity = try makeIdentity(
            of: userID, in: project, deviceName: input.optionalText("deviceName"), state: .pending,
            origin: nil)
        identity.pushToken = try input.optionalText("pushToken")
        if project.forcesActivation(of: userID) { (identity.state, identity.origin) = (.verified, .forced) }
        let begun = try begin(identity, in: project, input, request)
        return .answer(
            registration(begun.identity, in: project, appID: begun.session?.authorization?.clientID))
    }

    /// What an `activateCode` can be.
    private static let activationKinds: [OneTimeCode.Kind] = [.activation, .registration]

    /// What was written for a registration.
    private struct Begun: Sendable {
        var identity: Identity
        var session: AccessSession?
    }

    private func begin(
        _ identity: Identity, in project: Project, _ input: Members, _ request: Request
    ) throws -> Begun {
        let (code, wid) = (try input.optionalText("activateCode"), try input.optionalText("wid"))
        var begun = try world.change { turn in
            var begun = Begun(identity: identity)
            if let code {
                let code = try redeem(code, Self.activationKinds, of: identity.userID, in: project, turn) {
                    .activationCode($0)
                }
                (begun.identity.state, begun.identity.origin) = (.verified, code.origin ?? .registrationCode)
                begun.identity.mpinID = code.promisedMPinID ?? begun.identity.mpinID
            }
            begun.session = try wid.flatMap { try liveSession($0, in: turn.db) }
            try turn.insert(begun.identity)
            if begun.identity.state == .pending {
                try sendVerification(
                    of: begun.identity, in: project, accessID: begun.session?.accessID, request, in: turn)
            }
            try note("registration", "registration_started", of: begun.identity, request, in: turn)
            return begun
        }
        begun.identity = try askVerifier(
            about: begun.identity, in: project, input, isResend: false, request)
        if let wid, begun.session == nil {
            services.journal.event(
                "access code unknown", about: identity.userID,
                "The access code \(wid.prefix(40)) of this registration is no session that is open; the registration goes on."
            )
        }
        return begun
    }

    /// What a registration is answered with.
    func registration(
        _ identity: Identity, in project: Project, appID: String? = nil
    ) -> [String: JSONValue] {
        [
            "mpinId": .string(identity.mpinID), "regOTT": .string(identity.regOTT),
            "nowTime": .integer(now.unixSeconds),
            "expireTime": .integer(identity.registrationExpiresAt.unixSeconds),
            "active": .boolean(identity.state != .pending), "customerId": .string(project.customer.id),
            "projectId": .string(project.id), "appId": .string(appID ?? project.id),
            "pinLength": .integer(project.pinDigits), "verificationType": .string(project.verificationType),
        ]
    }
}

extension Project {
    /// Source: trust-sdk-android for the two words.
    var verificationType: String { method == .custom ? "fullCustom" : "standardEmail" }
}
