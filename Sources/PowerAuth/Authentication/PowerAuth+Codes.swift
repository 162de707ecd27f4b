import Essentials
import SQLite

/// The heart of it: a code is looked for in the window of its activation's counter, and what comes of it is stored.
extension PowerAuth {
    /// - Parameter claims: what the code should cover, asked for only when it is wrong.
    func verify(
        _ search: CodeSearch, of activation: Activation, _ application: Application, in turn: inout Turn,
        claims: () -> [SignedData]
    ) throws -> AuthenticationOutcome {
        guard activation.state(at: turn.now) == .active, let counterData = activation.counterData?.bytes,
            let keys = try activation.factorKeys()
        else { return try refuseInactive(activation, in: &turn) }
        guard activation.failedAttempts < activation.maxFailedAttempts else {
            let blocked = try block(activation, reason: Self.blockedByAttempts, by: nil, in: &turn).get()
            return try refuseInactive(blocked, in: &turn)
        }
        let counter = try HashCounter(counterData)
        let lookAhead = try settings(in: turn.db).lookAhead
        let match = AuthenticationCode.find(
            search.code, among: search.candidates, keys: keys, from: counter, lookAhead: lookAhead,
            format: search.format)
        guard let match else {
            let code = WrongCode(
                activation: activation.id, code: search.code, types: search.types, format: search.format,
                keys: keys, counter: counter, counterNumber: activation.counter, lookAhead: lookAhead,
                claims: claims(),
                mark: try turn.db.first(CounterMark.self, where: "activation = \(activation.id)"),
                otherSecrets: try secrets(in: turn.db),
                seenResources: try turn.db.all(SeenResource.self).map(\.uriID))
            return try refuse(code, of: activation, application, in: &turn)
        }
        return try accept(match, search.uriID, of: activation, application, in: &turn)
    }

    private func accept(
        _ match: AuthenticationCode.Match, _ uriID: String?, of before: Activation,
        _ application: Application,
        in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        var activation = before
        activation.counterData = Base64Bytes(match.next.data)
        activation.counter += match.distance + 1
        // Possession is no secret of the user: it does not make up for wrong PINs.
        if match.type != .possession { activation.failedAttempts = 0 }
        activation.lastUsedAt = turn.now
        try activation.updateUse(in: turn.db)
        try Trail.note(uriID, from: before, to: activation.counter, in: turn.db)
        return AuthenticationOutcome(
            isValid: true, activation: activation, application: application, type: match.type,
            remainingAttempts: activation.remainingAttempts(at: turn.now), failure: nil)
    }

    private func refuse(
        _ code: WrongCode, of activation: Activation, _ application: Application, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        let type = code.types.first
        let (after, attempts) = try use(activation, failingWith: type, in: &turn)
        return AuthenticationOutcome(
            isValid: false, activation: after, application: application, type: type,
            remainingAttempts: attempts.remaining, failure: .codeWrong(code, attempts))
    }

    /// A code that names a wrong application key costs an attempt like a wrong code.
    func refuse(
        _ code: OnlineCode, of activation: Activation, _ fault: AuthenticationFailure.ApplicationKeyFault,
        in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        guard activation.state(at: turn.now) == .active else {
            return try refuseInactive(activation, in: &turn)
        }
        let (after, attempts) = try use(activation, failingWith: code.type, in: &turn)
        return AuthenticationOutcome(
            isValid: false, activation: after, application: nil, type: nil,
            remainingAttempts: attempts.remaining, failure: .applicationKeyWrong(fault, attempts))
    }

    /// Stores that an active activation was used in vain. Possession alone costs nothing.
    private func use(
        _ activation: Activation, failingWith type: SignatureType?, in turn: inout Turn
    ) throws -> (Activation, AuthenticationFailure.Attempts) {
        var activation = activation
        activation.lastUsedAt = turn.now
        let isCounted = type != .possession
        if isCounted {
            activation = try count(failure: true, on: activation, in: &turn)
        } else {
            try activation.updateUse(in: turn.db)
        }
        let remaining = activation.remainingAttempts(at: turn.now)
        return (activation, AuthenticationFailure.Attempts(isCounted: isCounted, remaining: remaining))
    }

    /// Nothing is checked and nothing counted, but the use is noted.
    private func refuseInactive(
        _ activation: Activation, in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        // One whose time is over is stored as removed.
        var activation = try self.activation(activation.id, in: &turn) ?? activation
        activation.lastUsedAt = turn.now
        try activation.updateUse(in: turn.db)
        return AuthenticationOutcome(
            isValid: false, activation: activation, application: nil, type: nil, remainingAttempts: 0,
            failure: .activationNotActive(
                activation.id, activation.state(at: turn.now), blockedReason: activation.blockedReason))
    }

    /// Those of all applications, for the explanation of a wrong code or of an encrypted request that cannot be opened.
    func secrets(in db: Connection) throws -> [WrongCode.Secret] {
        var secrets: [WrongCode.Secret] = []
        try db.each("SELECT application, name, app_secret FROM powerauth_application_version LIMIT 50") {
            row in
            secrets.append(
                WrongCode.Secret(
                    application: try row.text("application"), version: try row.text("name"),
                    text: try row.text("app_secret")))
        }
        return secrets
    }
}

extension CodeSearch {
    /// Of the candidates, each once, in their order.
    fileprivate var types: [SignatureType] {
        candidates.map(\.type).reduce(into: []) { types, type in
            if !types.contains(type) { types.append(type) }
        }
    }
}

/// A code and what it may have been made of.
struct CodeSearch {
    let code: String
    /// The first one is told when none fits.
    let candidates: [AuthenticationCode.Candidate]
    let format: AuthenticationCodeFormat
    /// Remembered when the code is right; nil when it is not known.
    let uriID: String?
}
