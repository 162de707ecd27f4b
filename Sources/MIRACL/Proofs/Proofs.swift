import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Proofs of a PIN, in two passes, and what comes of them.
struct Proofs: Sendable {
    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    var world: World { server.world }
    var projects: Projects { Projects(world) }
    var renewals: Renewals { Renewals(world) }
    var sessions: Sessions { Sessions(server) }
    private var now: Date { world.now }

    /// Checks everything of the first pass but the points.
    ///
    /// - Returns: how long it may wait for the second one.
    func passSeconds(
        _ mpinID: String, _ input: Members, scope: [String], hasPermit: Bool, _ request: Request
    ) throws -> Int {
        guard let identity = try world.database.read({ db in try Identity.find(mpinID, in: db) }) else {
            guard let project = try projects.blockingUnknown(request) else {
                throw ProofRefusal.identityUnknown(mpinID)
            }
            return project.passSeconds
        }
        guard let project = try projects.find(identity.projectID) else {
            throw ProofRefusal.identityUnknown(mpinID)
        }
        if let at = identity.expiresAt, at <= now { throw ProofRefusal.identityExpired(at) }
        if identity.state == .pending || identity.state == .verified {
            throw ProofRefusal.identityWithoutSecrets(identity.state)
        }
        let key = try input.optionalText("publicKey")?.lowercased()
        guard key == identity.publicKey || key == identity.offered.publicKey else {
            if let key, let renewal = identity.renewal, renewal.replaced?.publicKey == key {
                throw ProofRefusal.publicKeyReplaced
            }
            throw ProofRefusal.publicKeyOther(hasOne: identity.publicKey != nil, sentOne: key != nil)
        }
        if project.wantsPermits, scope.isEmpty, !hasPermit { throw ProofRefusal.permitMissing }
        return project.passSeconds
    }

    func point(_ name: String, _ hex: String) throws(ProofRefusal) -> G1Point {
        do {
            return try G1Point(hex: hex)
        } catch {
            throw .pointMalformed(name, error)
        }
    }

    /// What the second pass proves.
    func verdict(
        on pass: PendingPass, _ v: String, of identity: Identity?, _ project: Project?
    ) throws -> ProofVerdict {
        var verdict = ProofVerdict(
            authOTT: world.token(for: "auth_ott"), mpinID: pass.mpinID, isRight: false, scope: pass.scope,
            clientID: pass.clientID, expiresAt: world.time(in: project?.proofSeconds ?? 60))
        guard let identity, let project else { return verdict }
        let point: G1Point
        do {
            point = try G1Point(hex: v)
        } catch {
            verdict.fault =
                "V of the second pass is not a point, which counts as a wrong PIN: \(error.explanation)"
            return verdict
        }
        let trial = ProofTrial(
            projects: projects, identity: identity, project: project,
            commitment: try pass.commitment(day: now.day), challenge: try Scalar(hex: pass.y), v: point)
        verdict.proven = try trial.proven()
        verdict.isRight = verdict.proven != nil
        if !verdict.isRight { verdict.fault = try trial.fault() }
        return verdict
    }
}

// MARK: - The end

extension Proofs {
    /// Takes the proof's verdict and writes what follows from it.
    ///
    /// - Throws: ``ProofRefusal``; a wrong PIN stays counted.
    func settle(_ authOTT: String, _ wish: ProofRequest) throws -> ProofSuccess {
        try world.change { turn in try settle(authOTT, wish, in: turn) }
    }

    /// Takes the proof's verdict and writes what follows from it. The order of the checks is the original's.
    private func settle(_ authOTT: String, _ wish: ProofRequest, in turn: Turn) throws -> ProofSuccess {
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

    private func settle(_ verdict: ProofVerdict, _ wish: ProofRequest, in turn: Turn) throws -> ProofSuccess {
        guard verdict.expiresAt > turn.now else { throw ProofRefusal.authOTTExpired(verdict.expiresAt) }
        guard let identity = try Identity.find(verdict.mpinID, in: turn.db),
            let project = try projects.find(identity.projectID, in: turn.db)
        else { throw ProofRefusal.unknownTreatedAsBlocked }
        if let refusal = try standing(of: identity, project) { throw refusal }
        // Clients keep sending the WID of their first login with everything that they prove. Source: client-js 5 to 8.
        let wid = verdict.finishesSession || wish.wantsCode ? verdict.wid : nil
        let session = try wid.flatMap { try sessions.liveSession($0, in: turn.db) }
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
                try projects.masterSecret(of: identity, in: project) != nil
            }
            return isKnown ? nil : .mastersChanged
        }
    }

    /// The refusal of a wrong PIN, which is counted.
    private func counted(
        _ fault: String, _ identity: Identity, _ project: Project, _ wish: ProofRequest, in turn: Turn
    ) -> ProofRefusal {
        var identity = identity
        identity.wrongCount.increment()
        let isLast = identity.wrongCount >= project.attemptLimit
        if isLast { identity.state = .blocked }
        let refusal: ProofRefusal =
            isLast
            ? .lastPINWrong(limit: project.attemptLimit, fault: fault)
            : .pinWrong(attemptsLeft: project.attemptLimit - identity.wrongCount, fault: fault)
        let counted = identity
        return turn.kept(refusal) { turn in
            try turn.update(counted)
            try turn.audit(
                "authentication", isLast ? "authenticate_blocked" : "authenticate_failure", of: counted,
                wish.request)
        }
    }
}

/// What a client asks for beside the scope of its proof.
struct ProofRequest: Sendable {
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

extension PendingPass {
    /// - Parameter day: of the time permit, if one is used.
    fileprivate func commitment(day: UInt32) throws -> Commitment {
        Commitment(
            u: try G1Point(hex: u),
            permitted: try ut.map { Commitment.Permitted(ut: try G1Point(hex: $0), day: day) })
    }
}

extension Date {
    /// Days since 1970-01-01 UTC.
    var day: UInt32 { UInt32(clamping: unixSeconds / 86_400) }
}
