import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What a right proof brings.
extension Proofs {
    /// Writes what a right proof brings.
    func succeed(_ proven: Proven, _ wish: ProofRequest, in turn: Turn) throws -> ProofSuccess {
        if let refusal = refusal(of: proven, wish) { throw refusal }
        var proven = proven
        let isRenewed = proven.takesUpOffer
        if isRenewed { proven.identity.takeUpOffer(at: turn.now) }
        if proven.verdict.scope.isEmpty, try renewals.needsRenewal(proven.identity, in: proven.project) {
            let isReplaced = try proven.project.hasReplaced(proven.identity.dtas)
            throw ProofRefusal.secretExpired(isReplaced: isReplaced)
        }
        (proven.identity.wrongCount, proven.identity.lastUsedAt) = (0, turn.now)
        proven.identity.state = .active
        if let old = proven.identity.takePredecessor() {
            try renewals.end(old, for: proven.identity, in: turn)
        }
        var success = ProofSuccess(
            identity: proven.identity, project: proven.project, scope: proven.verdict.scope)
        try turn.update(proven.identity)
        tell(of: proven, isRenewed: isRenewed, in: turn)
        // A client that renews itself proves itself again at once, with the same access code.
        if let renewal = try renewals.renewal(of: proven.identity, in: proven.project, wish.request, in: turn)
        {
            success.renewal = renewal
            return success
        }
        success.authorizationCode = try authorize(proven, wish, in: turn)
        success.oneTimeCode = try makeDigits(proven, in: turn)
        success.isDigitsTold = proven.verdict.otp != nil
        if proven.has(Scope.dvsReg) {
            success.signingToken = try renewals.makeSigningToken(
                for: proven.identity, in: proven.project, in: turn)
        }
        try turn.audit(
            "authentication", "authenticate_success", of: proven.identity,
            clientID: proven.session?.authorization?.clientID ?? proven.verdict.clientID, wish.request)
        return success
    }

    private func tell(of proven: Proven, isRenewed: Bool, in turn: Turn) {
        let (userID, device) = (proven.identity.userID, proven.identity.deviceName)
        if isRenewed {
            turn.note(
                "identity renewed", about: userID,
                "This was the first proof with the new secrets of “\(device)”; from now on the old ones are good no more."
            )
        }
        let scope = proven.verdict.scope
        turn.note(
            "proof verified", about: userID,
            "The user \(userID) proved to know the PIN of “\(device)”"
                + (scope.isEmpty ? "." : ", for \(scope.joined(separator: ", "))."))
    }

    private func refusal(of proven: Proven, _ wish: ProofRequest) -> ProofRefusal? {
        if let clientID = proven.session?.authorization?.clientID,
            let application = proven.project.application(clientID),
            !application.admits(proven.identity.userID)
        {
            return .applicationForeign(clientID, userID: proven.identity.userID)
        }
        // Clients that want a JWT hear of it when they ask for a quick code. Source: trust-sdk-android.
        return wish.wantsJWT ? nil : proven.codeRefusal
    }

    /// Finishes the access session, and makes an authorization code where the client itself wants one.
    ///
    /// - Returns: the code that the client is told; nil where the browser gets it, or nobody.
    private func authorize(_ proven: Proven, _ wish: ProofRequest, in turn: Turn) throws -> String? {
        let isClassic = proven.verdict.scope.isEmpty && proven.verdict.otp == nil
        let named = proven.verdict.clientID ?? wish.request.headers["X-MIRACL-Client-ID"]
        let application = named.flatMap { proven.project.application($0) }
        let wantsCode =
            proven.has(Scope.authcode) || wish.wantsCode || isClassic && application != nil
        if let session = proven.session, wantsCode || isClassic || proven.has(Scope.oidc) {
            let code = try sessions.complete(session, as: proven.identity, in: turn)
            return wantsCode ? code : nil
        }
        guard wantsCode, proven.session == nil else { return nil }
        guard let application = application ?? proven.project.onlyApplication,
            let uri = application.redirectURIs.first,
            let client = try server.clients.find(application.clientID, in: turn.db)
        else { throw ProofRefusal.applicationUnknown }
        guard application.admits(proven.identity.userID) else {
            throw ProofRefusal.applicationForeign(application.clientID, userID: proven.identity.userID)
        }
        let asked = CheckedAuthorization(
            of: client, redirectURI: uri, issuer: try server.issuer(wish.request, in: turn.db))
        return try server.makeCode(
            for: asked, subject: proven.identity.userID, amr: Sessions.proofMethods,
            context: proven.identity.mpinID, in: turn.db)
    }

    /// The one-time password or registration code that the proof was for.
    private func makeDigits(_ proven: Proven, in turn: Turn) throws -> OneTimeCode? {
        let isPassword = proven.has(Scope.otp) || proven.verdict.otp != nil
        guard isPassword || proven.has(Scope.regCode) && proven.codeRefusal == nil else { return nil }
        let code = OneTimeCode(
            kind: isPassword ? .otp : .registration, text: proven.verdict.otp ?? world.digits(for: "code"),
            projectID: proven.project.id, userID: proven.identity.userID, mpinID: proven.identity.mpinID,
            origin: isPassword ? nil : .registrationCode, createdAt: world.now,
            expiresAt: world.time(in: proven.project.codeSeconds))
        try turn.insert(code)
        return code
    }

    /// The members of the answer; what has to be signed is signed here, after the transaction.
    func answer(to success: ProofSuccess, _ wish: ProofRequest) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = ["status": 200, "message": "OK"]
        if !success.renewal.isEmpty { return members.merging(success.renewal) { $1 } }
        members["code"] = success.authorizationCode.map(JSONValue.string)
        if let code = success.oneTimeCode {
            members.merge(code.answer(isTold: success.isDigitsTold, seconds: success.project.codeSeconds)) {
                $1
            }
        }
        if let token = success.signingToken {
            members["dvsRegister"] = ["token": .string(token), "curve": .string(BN254CX.name)]
        }
        if wish.wantsJWT, success.scope.contains(where: Self.scopesWithJWT.contains) {
            members["jwt"] = .string(
                try Certificates(world).jwt(
                    for: success.identity, in: success.project, scope: success.scope, wish.request))
        }
        return members
    }

    private static let scopesWithJWT: Set<String> = [Scope.jwt, Scope.dvsAuth, Scope.regCode]
}

extension Proven {
    /// Whether it is the first proof with the secrets that the identity was handed last.
    fileprivate var takesUpOffer: Bool {
        identity.renewal?.offered.map { $0 == verdict.proven } ?? false
    }

    /// Why a device that proved itself for a registration code gets none.
    fileprivate var codeRefusal: ProofRefusal? {
        guard has(Scope.regCode) else { return nil }
        guard project.offersRegistrationCodes else { return .codesOff }
        let isByCode = identity.origin?.isByCode ?? false
        return isByCode && project.limitRegCodeVerified ?? false ? .codesLimited : nil
    }
}

extension Project {
    /// The application of a project that has one.
    fileprivate var onlyApplication: Application? { applications?.count == 1 ? applications?.first : nil }
}

extension OneTimeCode {
    /// - Parameter isTold: whether the second pass told the digits; such a client takes the times in milliseconds.
    fileprivate func answer(isTold: Bool, seconds: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["ttlSeconds": .integer(seconds)]
        members["nowTime"] = .integer(isTold ? createdAt.unixMilliseconds : createdAt.unixSeconds)
        members["expireTime"] = .integer(isTold ? expiresAt.unixMilliseconds : expiresAt.unixSeconds)
        if !isTold { members["otp"] = .string(text) }
        return members
    }
}
