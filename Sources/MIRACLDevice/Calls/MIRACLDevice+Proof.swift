import Crypto
package import DeviceKit
package import Essentials

extension MIRACLDevice {
    /// What a proof is for.
    package enum Scope: String, Sendable {
        /// Finishes the session that the access code names.
        case openID = "oidc"
        case authorizationCode = "authcode"
        case oneTimePassword = "otp"
        case registrationCode = "reg-code"
        case signingRegistration = "dvs-reg"
        case signing = "dvs-auth"
        case token = "jwt"
    }

    /// What the server answers to a right proof.
    package struct Login: Sendable, Equatable {
        package let body: JSONValue

        /// The authorization code for the app's back end.
        package var code: String? { body["code"]?.string }
        package var token: String? { body["jwt"]?.string }
        /// A token with which the identity is to be renewed before anything else; see ``MIRACLDevice/renew(token:pin:using:)``.
        package var renewal: String? { body["dvsRegister"]?["token"]?.string }
    }

    /// `FinishAuthentication`: both passes of a proof, and the verdict.
    ///
    /// The second generation renews a secret by itself when the server asks, and the third one as well.
    ///
    /// - Parameter accessCode: of the session that is finished.
    /// - Throws: ``SDKRefusal``; `REVOKED_MPINID` leaves the device blocked and without its token.
    package mutating func logIn(
        pin: String, for scope: Scope? = nil, accessCode: String? = nil, using services: DeviceServices
    ) throws -> Login {
        let told = try proveIdentity(pin, scope, accessCode, using: services)
        guard try renewIfAsked(told, scope, pin, using: services) else { return told }
        let again = try proveIdentity(pin, scope, accessCode, using: services)
        guard again.renewal == nil || !generation.isTrust else {
            throw DeviceError("the server wants the identity renewed twice")
        }
        return again
    }

    private mutating func proveIdentity(
        _ pin: String, _ scope: Scope?, _ accessCode: String?, using services: DeviceServices
    ) throws -> Login {
        guard state != .blocked else { throw DeviceError("the identity is blocked; register again") }
        do {
            return try prove(required(identity), pin, scope, accessCode, using: services)
        } catch let refusal as SDKRefusal where refusal.status == 410 {
            (state, identity) = (.blocked, nil)
            throw refusal
        }
    }

    /// - Returns: whether there is a new secret.
    private mutating func renewIfAsked(
        _ told: Login, _ scope: Scope?, _ pin: String, using services: DeviceServices
    ) throws -> Bool {
        if generation.isTrust, let token = told.renewal {
            try renew(token: token, pin: pin, using: services)
            return true
        }
        guard generation == .mfa, let share = told.body["renewSecret"], !share.isNull else { return false }
        try Self.checkCurve(share)
        let second = try get(share.text("cs2url"), for: .secondShare, using: services)
        let renewed = Registration(
            mpinID: try share["mpin_id"]?.string ?? required(identity).mpinID, token: "",
            shares: [try share.text("clientSecretShare"), try second.text("clientSecret")],
            dtas: try share.text("dtas"))
        identity = try token(renewed, key: nil, pin: pin)
        return true
    }

    func prove(
        _ token: MPinToken, _ pin: String, _ scope: Scope?, _ accessCode: String?,
        using services: DeviceServices
    ) throws -> Login {
        let x = try MPinCurve.drawnScalar(services.draw)
        let told = try post(
            address(ofPass: 1), firstMessage(token, x, scope), for: .authentication, using: services)
        var y = try MPinCurve.scalar(hex: told.text("y"))
        if faults.breaksProof { y = y + MPinCurve.scalars.one }
        let permits = try permit?.shares.map { try MPinCurve.point(hex: $0) } ?? []
        let v = try token.answer(x, y, pin: pin, permit: permits.count == 2 ? permits[0] + permits[1] : nil)
        let second = try post(
            address(ofPass: 2), secondMessage(token, v, scope, accessCode), for: .authentication,
            using: services)
        let verdict = try post(
            generation.isTrust ? "/rps/v2/authenticate" : address("authenticateURL"),
            lastMessage(second), for: .authentication, using: services)
        return Login(body: generation == .classic ? Self.merged(second, verdict) : verdict)
    }

    private func firstMessage(_ token: MPinToken, _ x: FieldElement, _ scope: Scope?) throws -> JSONValue {
        var u = try token.commitment(x).x962
        if faults.commitsBesideCurve { u[64] ^= 1 }
        let hasPermit = permit != nil
        var members: [String: JSONValue] = [
            "mpin_id": .string(faults.mpinID ?? token.mpinID), "U": .string(Hex.encode(u)),
        ]
        if generation != .trust {
            members["UT"] = ""
            members["pass"] = 1
        }
        if let permit, hasPermit {
            members["UT"] = .string(Hex.encode(try token.permittedCommitment(x, day: permit.day).x962))
        }
        guard generation != .classic else { return .object(members) }
        members["dtas"] = .string(token.dtas)
        members["publicKey"] = .string(faults.publicKey ?? token.publicKey)
        members["scope"] = JSONValue(scope.map { [$0.rawValue] } ?? [])
        return .object(members)
    }

    private func secondMessage(
        _ token: MPinToken, _ v: WeierstrassPoint, _ scope: Scope?, _ accessCode: String?
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "mpin_id": .string(faults.mpinID ?? token.mpinID), "V": .string(Hex.encode(v.x962)),
        ]
        members["WID"] = accessCode.map(JSONValue.string)
        guard generation != .trust else { return .object(members) }
        if accessCode == nil { members["WID"] = generation == .olderTrust ? "" : "0" }
        members["pass"] = 2
        members["OTP"] = .boolean(generation == .classic && scope == .oneTimePassword)
        return .object(members)
    }

    /// - Parameter second: the answer of the second pass, which the classic SDK sends back as it is.
    private func lastMessage(_ second: JSONValue) throws -> JSONValue {
        guard generation != .classic else { return ["mpinResponse": second] }
        let token = JSONValue.string(try second.text("authOTT"))
        return generation.isTrust ? ["authOTT": token, "wam": "dvs"] : ["authOTT": token]
    }

    private func address(ofPass pass: Int) throws -> String {
        try generation.isTrust ? "/rps/v2/pass\(pass)" : address("mpinAuthServerURL") + "/pass\(pass)"
    }

    /// The digits of a one-time password are in the second pass, its times in the verdict.
    private static func merged(_ second: JSONValue, _ verdict: JSONValue) -> JSONValue {
        var members = verdict.object ?? [:]
        members["otp"] = second["OTP"]
        return .object(members)
    }
}
