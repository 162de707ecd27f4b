import Crypto
import Essentials
import PlatformKit
import SQLite

// The heart of it: a code is looked for in the window of its activation's counter.
extension Authentication {
    func judge(_ code: OnlineCode, knowing known: Activation?, in turn: Turn) throws -> Verdict {
        guard let activation = try Activation.find(code.activationID, knowing: known, in: turn.db) else {
            return Verdict(.refusal(.activationUnknown(code.activationID)))
        }
        let version = try ApplicationVersion.find(code.applicationKey, in: turn.db)
        guard let version, version.isSupported, version.application == activation.application,
            let application = try Application.find(activation.application, in: turn.db)
        else {
            return judge(code, of: activation, keyFault(code.applicationKey, version, activation), in: turn)
        }
        if let generation = activation.generation, generation != code.version.generation {
            return Verdict(
                .refusal(
                    .protocolOther(activation.id, code.version, activation: generation),
                    activation.told(at: turn.now), application, code.type,
                    remaining: activation.remainingAttempts(at: turn.now)))
        }
        let data = try code.data.normalized(ApplicationSecret(version.secret))
        let search = CodeSearch(
            code: code.text, candidates: [AuthenticationCode.Candidate(code.type, data)],
            format: code.version.authenticationCodeFormat, uriID: code.data.uriID, states: code.states)
        return try judge(search, of: activation, application, in: turn) {
            code.data.parts(secret: version.secret).map { [$0] } ?? []
        }
    }

    /// A code that names a wrong application key costs an attempt like a wrong code.
    private func judge(
        _ code: OnlineCode, of activation: Activation, _ fault: AuthenticationFailure.ApplicationKeyFault,
        in turn: Turn
    ) -> Verdict {
        guard activation.state(at: turn.now) == .active else { return inactive(activation, in: turn) }
        return failing(activation, code.type, in: turn) { after, attempts in
            .refusal(.applicationKeyWrong(fault, attempts), after, remaining: attempts.remaining)
        }
    }

    private func keyFault(
        _ key: String, _ version: ApplicationVersion?, _ activation: Activation
    ) -> AuthenticationFailure.ApplicationKeyFault {
        guard let version else { return .unknown(key) }
        return version.application == activation.application
            ? .unsupported(version: version.name)
            : .foreign(application: version.application, expected: activation.application)
    }

    /// - Parameter claims: what the code should cover, asked for only when it is wrong.
    private func judge(
        _ search: CodeSearch, of activation: Activation, _ application: Application, in turn: Turn,
        claims: () -> [SignedData]
    ) throws -> Verdict {
        guard search.states.contains(activation.state(at: turn.now)),
            let counterData = activation.counterData?.bytes,
            let keys = try activation.codeKeys(in: turn.db)
        else { return inactive(activation, in: turn) }
        guard activation.failedAttempts < activation.maxFailedAttempts else {
            return exhausted(activation, in: turn)
        }
        let counter = try CodeCounter(counterData)
        let lookAhead = try world.settings(in: turn.db).lookAhead
        let match = try keys.find(
            search.code, among: search.candidates, from: counter, lookAhead: lookAhead, format: search.format)
        if let match { return right(match, search.uriID, of: activation, application, in: turn) }
        let code = WrongCode(
            activation: activation.id, code: search.code, types: search.types, format: search.format,
            keys: keys, counter: counter, counterNumber: activation.counter, lookAhead: lookAhead,
            claims: claims(),
            mark: try turn.first(CounterMark.self, where: "activation = \(activation.id)"),
            otherSecrets: try WrongCode.Secret.all(in: turn.db),
            seenResources: try turn.all(SeenResource.self).map(\.uriID))
        return failing(activation, code.types.first, in: turn) { after, attempts in
            .refusal(
                .codeWrong(code, attempts), after, application, code.types.first,
                remaining: attempts.remaining)
        }
    }

    private func right(
        _ match: CodeKeys.Match, _ uriID: String?, of before: Activation,
        _ application: Application, in turn: Turn
    ) -> Verdict {
        var after = before
        after.counterData = Base64Bytes(match.next.data)
        after.counter += match.distance + 1
        // Possession is no secret of the user: it does not make up for wrong PINs.
        if match.type != .possession { after.failedAttempts = 0 }
        after.lastUsedAt = turn.now
        let outcome = AuthenticationOutcome(
            isValid: true, activation: after, application: application, type: match.type,
            remainingAttempts: after.remainingAttempts(at: turn.now), failure: nil)
        return Verdict(outcome) { [after] turn in
            try after.updateUse(in: turn)
            if match.isOfNextKey { try ActivationSecrets.settle(match.type, of: after.id, in: turn) }
            try Trail.note(uriID, from: before, to: after.counter, in: turn)
        }
    }

    /// An active activation was used in vain. Possession alone costs nothing.
    private func failing(
        _ before: Activation, _ type: SignatureType?, in turn: Turn,
        _ outcome: (Activation, AuthenticationFailure.Attempts) -> AuthenticationOutcome
    ) -> Verdict {
        let isCounted = type != .possession
        let after = isCounted ? before.countingFailure(at: turn.now) : before.used(at: turn.now)
        let attempts = AuthenticationFailure.Attempts(
            isCounted: isCounted, remaining: after.remainingAttempts(at: turn.now))
        return Verdict(outcome(after, attempts)) {
            try Activations(world).store(use: after, of: before, in: $0)
        }
    }

    /// One without any attempts is blocked before it is refused.
    private func exhausted(_ before: Activation, in turn: Turn) -> Verdict {
        let after = before.used(at: turn.now).blockedByAttempts(at: turn.now)
        return Verdict(.refusal(.activationNotActive(after), after)) {
            try Activations(world).store(use: after, of: before, in: $0)
        }
    }

    /// Nothing is checked and nothing counted, but the use is noted. One whose time is over is stored as removed.
    private func inactive(_ before: Activation, in turn: Turn) -> Verdict {
        let after = before.used(at: turn.now).told(at: turn.now)
        return Verdict(.refusal(.activationNotActive(after), after)) { turn in
            try Activations(world).current(before, in: turn).used(at: turn.now).updateFailures(in: turn)
        }
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
private struct CodeSearch {
    let code: String
    /// The first one is told when none fits.
    let candidates: [AuthenticationCode.Candidate]
    let format: AuthenticationCodeFormat
    /// Remembered when the code is right; nil when it is not known.
    let uriID: String?
    /// Those in which the activation may make codes.
    var states: Set<Activation.State> = [.active]
}

// MARK: - Codes that a user types over from a device without a network

extension Authentication {
    /// Checks an offline code of two factors over each of `bodies` (one per permitted proximity OTP; one without).
    ///
    /// - Parameters:
    ///   - code: with or without the dash between its groups.
    ///   - nonce: of the QR code, Base64.
    ///   - bodies: `operationId&operationData` and its kin.
    ///   - types: tried in this order; the first is told when none fits.
    /// - Throws: ``ProtocolFault`` for a nonce that is none; nothing is counted then.
    func verifyOffline(
        _ code: String, nonce: String, bodies: [[UInt8]], types: [SignatureType], activation: Activation,
        in turn: Turn
    ) throws -> AuthenticationOutcome {
        let nonce = try Nonce(base64: nonce)
        let claims = bodies.map { body in
            SignedData(
                method: "POST", uriID: "/operation/authorize/offline", nonce: nonce.base64, body: body,
                secret: "offline")
        }
        return try verifyOffline(code, claims.map(\.normalized), types, activation, in: turn) { claims }
    }

    /// The same over data that the caller normalised, all but the word in place of the application secret:
    /// `signature/offline/verify` of the management API.
    func verifyOffline(
        _ code: String, overNormalized data: [[UInt8]], types: [SignatureType], activation: Activation,
        in turn: Turn
    ) throws -> AuthenticationOutcome {
        let whole = data.map { NormalizedData($0 + Array("&offline".utf8)) }
        return try verifyOffline(code, whole, types, activation, in: turn) {
            data.compactMap { SignedData(normalized: $0, secret: "offline") }
        }
    }

    private func verifyOffline(
        _ code: String, _ data: [NormalizedData], _ types: [SignatureType], _ activation: Activation,
        in turn: Turn, claims: () -> [SignedData]
    ) throws -> AuthenticationOutcome {
        guard let application = try Application.find(activation.application, in: turn.db) else {
            throw StoredValueUnknown(table: "powerauth_activation", id: activation.id)
        }
        let digits = try world.settings(in: turn.db).offlineComponentLength
        let search = CodeSearch(
            code: Self.dashed(code, digits: digits),
            candidates: types.flatMap { type in data.map { AuthenticationCode.Candidate(type, $0) } },
            format: .decimal(digits: digits), uriID: nil)
        return try judge(search, of: activation, application, in: turn, claims: claims).stored(in: turn)
    }

    /// People type the code with the dash or without.
    private static func dashed(_ code: String, digits: Int) -> String {
        let text = Array(code)
        guard text.count == 2 * digits, !text.contains("-") else { return code }
        return String(text[..<digits]) + "-" + String(text[digits...])
    }
}
