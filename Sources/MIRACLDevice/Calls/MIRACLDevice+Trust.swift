import Crypto
package import DeviceKit
import Essentials

// Verification and registration of the third generation, whose identities all have a key pair.
extension MIRACLDevice {
    /// What the confirmation of a mail gives.
    package struct Activation: Sendable, Equatable {
        package let token: String
        /// The session that the user came from.
        package let accessID: String?
    }

    /// `sendVerificationEmail`.
    ///
    /// - Parameter accessID: of the session that the user came from.
    /// - Returns: `link` or `code`, by which the mail is confirmed.
    package func askForMail(
        accessID: String? = nil, mpinID: String? = nil, using services: DeviceServices
    ) throws -> String {
        var order: [String: JSONValue] = [
            "userId": .string(userID), "projectId": try project(), "deviceName": .string(name),
        ]
        order["accessId"] = accessID.map(JSONValue.string)
        order["mpinId"] = mpinID.map(JSONValue.string)
        return try post("/verification/email", .object(order), for: .verification, using: services)
            .text("method")
    }

    /// `getActivationToken`: trades the code of a mail, of a link in it, or of another device.
    package func confirm(code: String, using services: DeviceServices) throws -> Activation {
        let told = try post(
            "/verification/confirmation", ["userId": .string(userID), "code": .string(code)],
            for: .activationToken, using: services)
        guard told["projectId"] == (try project()) else {
            throw DeviceError("ProjectMismatch: the confirmation is of another project")
        }
        return Activation(token: try told.text("actToken"), accessID: told["accessId"]?.string)
    }

    /// `register`: makes a key pair, fetches both shares, and chooses the PIN.
    package mutating func register(
        activationToken: String, pin: String, using services: DeviceServices
    ) throws {
        let key = try TwistKey(secret: MPinCurve.drawnScalar(services.draw))
        let made =
            generation == .trust
            ? try registration(activationToken, key, using: services)
            : try olderRegistration(activationToken, key, using: services)
        identity = try token(made, key: key, pin: pin)
        state = .registered
    }

    /// The same identity with a new secret, as the server asks by ``Login/renewal``.
    ///
    /// - Parameter token: of `dvsRegister`.
    package mutating func renew(token: String, pin: String, using services: DeviceServices) throws {
        guard generation == .olderTrust else {
            return try register(activationToken: token, pin: pin, using: services)
        }
        let before = try required(identity)
        let key = try TwistKey(secret: MPinCurve.drawnScalar(services.draw))
        let told = try post(
            "/rps/v2/dvsregister",
            [
                "publicKey": publicKey(key), "deviceName": .string(name), "dvsRegisterToken": .string(token),
            ], for: .registration, using: services)
        guard try told.text("mpinId") == before.mpinID else { throw DeviceError("the M-Pin id has changed") }
        identity = try self.token(
            shares(told, of: before.mpinID, using: services), key: key, pin: pin)
    }

    func publicKey(_ key: TwistKey) -> JSONValue { .string(faults.publicKey ?? key.publicText) }

    func project() throws -> JSONValue {
        guard let project = configuration.project else { throw DeviceError("the device knows no project") }
        return .string(project)
    }

    /// Both shares, of which the first is told.
    func shares(
        _ told: JSONValue, of mpinID: String, using services: DeviceServices
    ) throws -> Registration {
        try Self.checkCurve(told)
        let second = try get(told.text("cs2url"), for: .secondShare, using: services)
        return Registration(
            mpinID: mpinID, token: "",
            shares: [try told.text("dvsClientSecretShare"), try second.text("dvsClientSecret")],
            dtas: try told.text("dtas"))
    }

    private func registration(
        _ activationToken: String, _ key: TwistKey, using services: DeviceServices
    ) throws -> Registration {
        var order: [String: JSONValue] = [
            "userId": .string(userID), "deviceName": .string(name),
            "activationToken": .string(activationToken), "publicKey": publicKey(key),
        ]
        order["pushToken"] = pushToken.map(JSONValue.string)
        let told = try post("/registration", .object(order), for: .registration, using: services)
        try checkProject(told)
        try Self.checkCurve(told)
        let shares = try (told["secretUrls"]?.strings ?? []).map { url in
            try get(url, for: .secondShare, using: services).text("dvsClientSecret")
        }
        return Registration(
            mpinID: try told.text("mpinId"), token: "", shares: shares, dtas: try told.text("dtas"))
    }

    private func olderRegistration(
        _ activationToken: String, _ key: TwistKey, using services: DeviceServices
    ) throws -> Registration {
        var order = order(isMobile: false)
        order["activateCode"] = .string(activationToken)
        let begun = try put("/rps/v2/user", .object(order), for: .registration, using: services)
        try checkProject(begun)
        let (mpinID, token) = (try begun.text("mpinId"), try begun.text("regOTT"))
        let query = Self.query([("regOTT", token), ("publicKey", faults.publicKey ?? key.publicText)])
        return try shares(
            get("/rps/v2/signature/\(mpinID)\(query)", for: .registration, using: services),
            of: mpinID, using: services)
    }

    private func checkProject(_ told: JSONValue) throws {
        guard told["projectId"] == (try project()) else {
            throw DeviceError("ProjectMismatch: the registration is of another project")
        }
    }
}
