import Essentials
import HTTP
import PlatformKit
import SQLite

/// From a header to a verdict: authentication codes, offline codes and MAC tokens.
///
/// Every check has two halves: `judge` reads and finds out, and writes nothing; what has to be written stands in its ``Verdict``.
struct Authentication: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// Checks the authentication code of a request, and does `body` for who sent it. What the check changed stays, also when `body`
    /// refuses. A type that is not allowed is refused before anything is counted.
    ///
    /// - Parameters:
    ///   - uriID: agreed with the app; not the path.
    ///   - bytes: what was signed; nil for the body as it came, or of GET the canonical query.
    ///   - known: an activation that the turn has read already.
    ///   - generation: of the protocol, where not both are served.
    ///   - states: those in which the activation may make codes.
    ///   - refuse: says why not in the words of an API.
    /// - Throws: what `refuse` makes, or what `body` throws.
    func authenticate<Value>(
        _ request: Request, uriID: String, types: Set<SignatureType> = .anyWithTwoFactors,
        covering bytes: [UInt8]? = nil, knowing known: Activation? = nil, generation: Int? = nil,
        states: Set<Activation.State> = [.active], in turn: Turn,
        else refuse: (AuthenticationRefusal) throws -> any Refusal, _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        do {
            let header = try AuthorizationHeader(of: request)
            if let generation, header.version.generation != generation {
                throw AuthenticationRefusal.versionOutOfPlace(header.version, expected: generation)
            }
            let signed = SignedRequest(
                method: request.method.rawValue, uriID: uriID, body: try bytes ?? request.signedBody(),
                paths: request.pathForms)
            guard types.contains(header.type) else {
                throw AuthenticationRefusal.typeNotAllowed(header.type, allowed: types)
            }
            var code = OnlineCode(header, over: signed)
            code.states = states
            let verdict = try judge(code, knowing: known, in: turn)
            concern(verdict.outcome)
            return try turn.lasting({ turn in
                try verdict.store(turn)
                try turn.audit(verdict.outcome, "signature", header.version.authenticationCodeFormat)
            }) { try body(Authenticated(verdict.outcome, header.version)) }
        } catch let refusal as AuthenticationRefusal {
            throw try refuse(refusal)
        }
    }

    /// Checks the MAC token of a request, and does `body` for who sent it. The nonce stays remembered, also when `body` refuses.
    ///
    /// - Parameters:
    ///   - types: factors with which the token may have been made.
    ///   - refuse: says why not in the words of an API.
    /// - Throws: what `refuse` makes, or what `body` throws.
    func authenticateByToken<Value>(
        _ request: Request, types: Set<SignatureType> = .anyWithPossession, in turn: Turn,
        else refuse: (AuthenticationRefusal) throws -> any Refusal, _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        do {
            let header = try TokenHeader(of: request)
            let verdict = try judge(header, in: turn)
            concern(verdict.outcome)
            return try turn.lasting(verdict.store) {
                let sender = try Authenticated(verdict.outcome, header.version)
                guard types.contains(sender.type) else {
                    throw AuthenticationRefusal.typeNotAllowed(sender.type, allowed: types)
                }
                return try body(sender)
            }
        } catch let refusal as AuthenticationRefusal {
            throw try refuse(refusal)
        } catch let refusal as TokenRefusal {
            throw try refuse(.token(refusal))
        }
    }

    /// Tells the journal whom the request is about.
    private func concern(_ outcome: AuthenticationOutcome) {
        guard let activation = outcome.activation else { return }
        if !activation.user.isEmpty { world.services.journal.concern(activation.user) }
        for subject in activation.subjects { world.services.journal.concern(subject) }
    }

    /// Checks an authentication code and remembers what follows: counter, failed attempts, blocking, use.
    ///
    /// - Parameter known: an activation that the turn has read already.
    func verify(
        _ code: OnlineCode, knowing known: Activation? = nil, in turn: Turn
    ) throws -> AuthenticationOutcome {
        try judge(code, knowing: known, in: turn).stored(in: turn)
    }

    /// Checks a MAC token header and remembers the nonce of a right one. It counts nothing.
    ///
    /// - Parameter applications: those whose tokens the caller may check; nil for all. The others have no tokens to this caller.
    /// - Throws: ``TokenRefusal`` for a time outside the window or a header that came before; these are errors, not invalid tokens.
    func verify(
        _ header: TokenHeader, within applications: [String]? = nil, in turn: Turn
    ) throws -> AuthenticationOutcome {
        try judge(header, within: applications, in: turn).stored(in: turn)
    }
}

/// What came of a check, and what of it is to be remembered.
struct Verdict {
    let outcome: AuthenticationOutcome
    /// Writes it, from values: as often as the turn begins.
    let store: (Turn) throws -> Void

    init(_ outcome: AuthenticationOutcome, store: @escaping (Turn) throws -> Void = { _ in }) {
        (self.outcome, self.store) = (outcome, store)
    }

    func stored(in turn: Turn) throws -> AuthenticationOutcome {
        try store(turn)
        return outcome
    }
}

extension Request {
    /// As the client wrote it, and without world and context path.
    fileprivate var pathForms: [String] {
        let slash = UInt8(ascii: "/")
        let whole = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let below = path.utf8.dropFirst().drop { $0 != slash }
        return [String(Substring(whole)), path, below.isEmpty ? "/" : String(Substring(below))]
    }

    /// What an authentication code covers of the request beside method and resource.
    ///
    /// - Throws: ``AuthenticationRefusal`` for a query that cannot be decoded.
    fileprivate func signedBody() throws -> [UInt8] {
        guard method == .get else { return body }
        do {
            return try CanonicalQuery.body(of: query)
        } catch let fault as ProtocolFault {
            throw AuthenticationRefusal.headerMalformed(
                HeaderRefusal(header: AuthorizationHeader.name, reason: "it covers the query: \(fault)"))
        }
    }
}

/// Who sent a request that was authenticated.
struct Authenticated: Sendable, Equatable {
    /// After the check; it is active.
    let activation: Activation
    let application: Application
    /// Factors of the code, or those with which the token was made.
    let type: SignatureType
    /// What the request speaks.
    let version: RequestVersion

    /// - Throws: ``AuthenticationRefusal`` for an outcome that is not valid.
    fileprivate init(_ outcome: AuthenticationOutcome, _ version: RequestVersion) throws {
        guard outcome.isValid, let activation = outcome.activation, let application = outcome.application,
            let type = outcome.type
        else { throw AuthenticationRefusal.invalid(outcome) }
        (self.activation, self.application) = (activation, application)
        (self.type, self.version) = (type, version)
    }
}

extension Set<SignatureType> {
    static let anyWithTwoFactors: Set = [
        .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
    ]
    static let anyWithPossession = anyWithTwoFactors.union([.possession])
}
