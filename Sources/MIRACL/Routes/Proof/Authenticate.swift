import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/authenticate`: what the proof was, and what it brings. Wrong PINs are counted here.
    ///
    /// - Request: `{"authOTT", "authzRequest"?: bool, "wam"?: "dvs"}`, or all of it inside of `mpinResponse`.
    /// - Response: `200 {"status": 200, "message": "OK"}` with, by the scope of the first pass, `code`; `otp`, `nowTime`, `expireTime`,
    ///   `ttlSeconds`; `jwt`; `dvsRegister`; or with `renewSecret`.
    /// - Errors: in this order: `408` for an `authOTT` that is not good; `410 REVOKED_MPINID`; `409` for secrets of master shares that
    ///   the project does not have; `412 INVALID_AUTH_SESSION` at a login (scope `oidc`, `authcode` or none) for a `WID` without a live
    ///   session; `409 CLIENT_SECRET_EXPIRED` for a client without a scope that has to be renewed; `401 UNSUCCESSFUL_AUTHENTICATION` for a wrong PIN,
    ///   `410` for the last one; `403` for a user who may not use the application.
    /// - Source: Milagro MFA SDK core and server; client-js 4 to 8; trust-sdk-android.
    func authenticate(_ request: Request) throws -> Response {
        let body = try Members(request)
        let input = try body.optionalMembers("mpinResponse") ?? body
        let authOTT = try input.text("authOTT")
        var wish = ProofWish(request: request)
        wish.wantsCode = try input.flag("authzRequest") || body.flag("authzRequest")
        wish.wantsJWT = try (input.optionalText("wam") ?? body.optionalText("wam")) == "dvs"
        let success = try world.change { turn in try settle(authOTT, wish, in: turn) }
        return .answer(try answer(to: success, wish))
    }

    /// Takes the proof's verdict and writes what follows from it. The order of the checks is the original's.
    private func settle(_ authOTT: String, _ wish: ProofWish, in turn: Turn) throws -> ProofSuccess {
        guard let verdict = try turn.take(ProofVerdict.self, where: "auth_ott = \(authOTT)") else {
            throw ProofRefusal.authOTTUnknown
        }
        do {
            return try settle(verdict, wish, in: turn)
        } catch let refusal as ProofRefusal {
            // A verdict is told once, whatever it leads to.
            throw turn.kept(refusal) { try $0.delete(verdict) }
        }
    }

    private func settle(_ verdict: ProofVerdict, _ wish: ProofWish, in turn: Turn) throws -> ProofSuccess {
        guard verdict.expiresAt > turn.now else { throw ProofRefusal.authOTTExpired(verdict.expiresAt) }
        guard let identity = try Identity.find(verdict.mpinID, in: turn.db),
            let project = try project(identity.projectID, in: turn.db)
        else { throw ProofRefusal.unknownTreatedAsBlocked }
        if let refusal = try standing(of: identity, project) { throw refusal }
        // Clients keep sending the WID of their first login with everything that they prove. Source: client-js 5 to 8.
        let wid = verdict.finishesSession || wish.wantsCode ? verdict.wid : nil
        let session = try wid.flatMap { try liveSession($0, in: turn.db) }
            .flatMap { $0.projectID == project.id ? $0 : nil }
        if let wid, session == nil { throw ProofRefusal.sessionGone(wid) }
        guard verdict.isRight else { throw counted(verdict.fault ?? "", identity, project, wish, in: turn) }
        return try succeed(Proven(verdict, identity, project, session), wish, in: turn)
    }

    private func standing(of identity: Identity, _ project: Project) throws -> ProofRefusal? {
        switch identity.state {
        case .blocked: return .blocked(userID: identity.userID)
        case .revoked:
            let isSucceeded = identity.renewal?.successor != nil
            return isSucceeded ? .succeeded(userID: identity.userID) : .revoked(userID: identity.userID)
        default:
            let isKnown = try [identity, identity.offered].contains { identity in
                try masterSecret(of: identity, in: project) != nil
            }
            return isKnown ? nil : .mastersChanged
        }
    }

    /// The refusal of a wrong PIN, which is counted.
    private func counted(
        _ fault: String, _ identity: Identity, _ project: Project, _ wish: ProofWish, in turn: Turn
    ) -> ProofRefusal {
        var identity = identity
        identity.wrongCount += 1
        let isLast = identity.wrongCount >= project.attemptLimit
        if isLast { identity.state = .blocked }
        let refusal: ProofRefusal =
            isLast
            ? .lastPINWrong(limit: project.attemptLimit, fault: fault)
            : .pinWrong(attemptsLeft: project.attemptLimit - identity.wrongCount, fault: fault)
        let counted = identity
        return turn.kept(refusal) { turn in
            try turn.update(counted)
            try note(
                "authentication", isLast ? "authenticate_blocked" : "authenticate_failure", of: counted,
                wish.request, in: turn)
        }
    }
}

/// What a client asks for beside the scope of its proof.
struct ProofWish: Sendable {
    let request: Request
    var wantsCode = false
    var wantsJWT = false
}

/// A right proof, and what it belongs to.
struct Proven: Sendable {
    let verdict: ProofVerdict
    var identity: Identity
    let project: Project
    let session: AccessSession?

    init(_ verdict: ProofVerdict, _ identity: Identity, _ project: Project, _ session: AccessSession?) {
        (self.verdict, self.identity, self.project, self.session) = (verdict, identity, project, session)
    }

    func has(_ scope: String) -> Bool { verdict.scope.contains(scope) }
}

/// What was written for a right proof.
struct ProofSuccess: Sendable {
    var identity: Identity
    let project: Project
    let scope: [String]
    var authorizationCode: String?
    var oneTimeCode: OneTimeCode?
    /// Whether the digits were told in the second pass, as in the first generation.
    var isDigitsTold = false
    var signingToken: String?
    /// Members that renew the identity.
    var renewal: [String: JSONValue] = [:]
}

extension ProofVerdict {
    /// Whether the proof is one for an access session, if it names one: every other proof has none to finish.
    fileprivate var finishesSession: Bool {
        scope.isEmpty || scope.contains(Scope.oidc) || scope.contains(Scope.authcode)
    }
}
