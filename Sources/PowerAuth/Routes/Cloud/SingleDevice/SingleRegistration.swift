import Essentials
import HTTP
import PlatformKit
import SQLite

/// The API before version 2, in which a user has one device and its registration is found by the user. The vendor deprecates it; its
/// published demo portal speaks nothing else.
///
/// Source of all: PowerAuth Cloud documentation, “Single-Device API Reference”, and the published demo portal. *Assumed* is that the
/// application is the first one of the caller, and that a new registration takes the place of the one before.
extension PowerAuth {
    static let singleDeviceRoutes: [Route<PowerAuth>] = [
        .post("/registration", PowerAuth.startOnlyRegistration),
        .get("/registration", PowerAuth.showOnlyRegistration),
        .put("/registration", PowerAuth.changeOnlyRegistration),
        .delete("/registration", PowerAuth.removeOnlyRegistration),
        .post("/registration/commit", PowerAuth.commitOnlyRegistration),
        .post("/operations", PowerAuth.createCloudOperation),
        .get("/operations", PowerAuth.showNamedOperation),
        .delete("/operations", PowerAuth.cancelNamedOperation),
        .get("/operations/offline/qr", PowerAuth.showNamedOfflineQRCode),
        .post("/operations/offline/otp", PowerAuth.verifyNamedOfflineOTP),
    ]

    /// `POST /registration`: starts the registration of a user; the one before is removed.
    ///
    /// - Request: `{"userId", "flags"?, "otp"?, "otpValidation"? or "commitPhase"?, "timestampRegistrationExpire"?}`.
    /// - Response: `200` with `registrationId`, `activationCode`, `activationCodeSignature`, `activationQrCodeData`.
    /// - Errors: `ERROR_REQUEST`, `ERROR_REGISTRATION`.
    func startOnlyRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let new = try newActivation(input, application: onlyApplication(of: user))
        return try change { turn in
            if let before = try onlyRegistration(of: new.user, for: user, in: turn) {
                _ = try activations.remove(before, by: nil, revokingRecoveryCodes: true, in: turn)
            }
            return .flat(try startedRegistration(new, in: turn))
        }
    }

    /// `GET /registration?userId=…`: the device of a user.
    ///
    /// - Request: query `userId`.
    /// - Response: `200` with `registration`: `CREATED`, `PENDING_COMMIT`, `ACTIVE`, `BLOCKED`, or `NONE` alone without a device; what
    ///   version 2 tells, such as `activationQrCodeData`, `activationFingerprint`, `name`, `platform`, `deviceInfo`.
    /// - Errors: `ERROR_REQUEST`.
    func showOnlyRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let id = try request.requireQuery("userId")
        return try change { turn in
            guard let activation = try onlyRegistration(of: id, for: user, in: turn) else {
                return .flat(["registration": "NONE"])
            }
            var members = try shownMembers(of: activation, in: turn.db)
            members["registration"] = members.removeValue(forKey: "registrationStatus")
            return .flat(members)
        }
    }

    /// `PUT /registration`: blocks, unblocks, replaces flags.
    ///
    /// - Request: `{"userId"}` and what version 2 takes.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REGISTRATION_CHANGE`, `ERROR_REQUEST`.
    func changeOnlyRegistration(_ request: Request) throws -> Response {
        try changeRegistration(named(request))
    }

    /// `POST /registration/commit`: makes the registration active after its key exchange.
    ///
    /// - Request: `{"userId", "externalUserId"?, "otp"?}`.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REGISTRATION_CHANGE`, `ERROR_REQUEST`.
    func commitOnlyRegistration(_ request: Request) throws -> Response {
        try commitRegistration(named(request))
    }

    /// `DELETE /registration?userId=…`: removes the registration.
    ///
    /// - Request: query `userId`, or a body with it.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REQUEST`.
    func removeOnlyRegistration(_ request: Request) throws -> Response {
        try removeRegistration(named(request))
    }

    /// The request of version 2 for the registration of the user that is named in body or query.
    ///
    /// - Throws: `ERROR_REGISTRATION_NOT_FOUND`.
    private func named(_ request: Request) throws -> Request {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let id = try request.queryItems["userId"] ?? input.text("userId")
        try input.check()
        var named = request
        named.parameters = [("registration", try requireOnlyRegistration(of: id, for: user).id)]
        return named
    }

    func requireOnlyRegistration(of id: String, for user: SystemUser) throws -> Activation {
        if let found = try change({ try onlyRegistration(of: id, for: user, in: $0) }) { return found }
        throw CloudRefusal(
            .registrationUnknown, "The user has no registration.",
            "The user “\(id.prefix(60))” has no registration in \(try onlyApplication(of: user)), or it was removed."
        )
    }

    private func onlyRegistration(
        of id: String, for user: SystemUser, in turn: Turn
    ) throws -> Activation? {
        let query = ActivationQuery(
            user: id, applications: [try onlyApplication(of: user)], states: Self.statesOfUse,
            page: ListPage(size: 1))
        return try activations.all(query, in: turn).first
    }

    private func onlyApplication(of user: SystemUser) throws -> String {
        if let application = user.applications.first { return application }
        throw CloudRefusal(
            .request, "No application is available.",
            "The system user “\(user.name)” has no applications; the first one is that of this API.")
    }
}
