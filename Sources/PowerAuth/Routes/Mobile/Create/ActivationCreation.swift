import Crypto
import Essentials
import PlatformKit
import SQLite

/// From what a device sent in the inner layer to its activation.
struct ActivationCreation {
    let world: World
    let application: Application
    let exchange: KeyExchange
    /// Whether the device gets a recovery code where the application has them.
    var givesRecovery = true

    private var activations: Activations { Activations(world) }

    /// - Throws: ``MobileRefusal``, as all that follow.
    func make(_ identity: ActivationIdentity, in turn: Turn) throws -> MadeActivation {
        switch identity {
        case .code(let code): try complete(registration(code, in: turn), in: turn)
        case .user(let user, let terms): try complete(newActivation(of: user, terms, in: turn), in: turn)
        case .recovery(let code, let puk, let terms): try recover(code, puk: puk, terms, in: turn)
        }
    }

    private func newActivation(
        of user: String, _ terms: ActivationTerms, in turn: Turn
    ) throws -> Activation {
        let new = NewActivation(
            user: user, application: application.id, otp: terms.otp,
            commitPhase: terms.isCommitted ? .onKeyExchange : .onCommit, expiresAt: terms.expiresAt,
            maxFailedAttempts: terms.maxFailedAttempts, hasCode: false)
        return try told { try activations.create(new, in: turn) }
    }

    /// Exchanges the keys, and gives a recovery code where the application has them.
    private func complete(_ activation: Activation, in turn: Turn) throws -> MadeActivation {
        let active = try told { try activations.exchangeKeys(exchange, with: activation, in: turn) }
        let offers = givesRecovery && application.offersRecovery
        return MadeActivation(
            activation: active, recovery: offers ? try giveRecoveryCode(to: active, in: turn) : nil)
    }

    private func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as ActivationRefusal {
            throw MobileRefusal(.activation, because: refusal)
        }
    }

    /// The registration that waits for this code in this application.
    private func registration(_ code: String, in turn: Turn) throws -> Activation {
        let known = try Activation.all(withCode: code, in: application.id, turn.db)
        guard let newest = known.first else { throw try unknownCode(code, in: turn) }
        let state = newest.state(at: turn.now)
        if state == .created { return newest }
        let refusal = Self.unusable(
            state == .removed
                ? "The activation code was not used in time, or its activation \(newest.id) was removed."
                : "The activation code was used already: the activation \(newest.id) is \(state.rawValue).")
        // Its time may be over, which is then stored.
        throw turn.kept(refusal) { _ = try activations.find(newest.id, in: $0) }
    }

    private func unknownCode(_ code: String, in turn: Turn) throws -> MobileRefusal {
        let foreign = try turn.all(Application.self).first { other in
            try other.id != application.id
                && !Activation.all(withCode: code, in: other.id, turn.db).isEmpty
        }
        if let foreign {
            return Self.unusable(
                "The activation code belongs to \(foreign.id), the device is configured for \(application.id)."
            )
        }
        if let world = turn.worldElsewhere(of: code) {
            return Self.unusable(
                "The activation code is one of the world “\(world)”; compare the two base URLs.")
        }
        let isWellFormed = (try? ActivationCode(code)) != nil
        return Self.unusable(
            "The application \(application.id) has no activation with the code “\(code.prefix(40))”"
                + (isWellFormed ? "." : ", whose form or check sum is wrong as well: it was mistyped."))
    }

    private static func unusable(_ reason: String) -> MobileRefusal {
        MobileRefusal(.activation, because: ActivationRefusal.codeUnusable(reason))
    }
}

// MARK: - Recovery

extension ActivationCreation {
    /// Trades a recovery code and the PUK that is due for a new activation, and removes the one before. With its last PUK the code is
    /// REVOKED, as published tests of the PowerAuth Server expect.
    private func recover(
        _ text: String, puk: String, _ terms: ActivationTerms, in turn: Turn
    ) throws -> MadeActivation {
        guard var code = try RecoveryCode.find(text, of: application.id, in: turn.db) else {
            throw MobileRefusal(
                .recovery,
                "The application \(application.id) has no recovery code “\(text.prefix(40))”."
            )
        }
        guard code.state == .active, let index = code.currentPUK else {
            throw MobileRefusal(
                .recovery,
                code.puks.allSatisfy { $0.state == .used }
                    ? "All PUKs of the recovery code are used: it is \(code.state.rawValue)."
                    : "The recovery code is \(code.state.rawValue), expected ACTIVE.")
        }
        guard constantTimeEqual(Array(puk.utf8), Array(code.puks[index].value.utf8)) else {
            throw try wrongPUK(of: code, index, in: turn)
        }
        // First, so that nothing is used up when the device's key is wrong.
        let made = try complete(newActivation(of: code.user, terms, in: turn), in: turn)
        if let previous = try code.activation.flatMap({ try Activation.find($0, in: turn.db) }) {
            _ = try activations.remove(previous, by: nil, revokingRecoveryCodes: false, in: turn)
        }
        code.use(index)
        code.activation = made.activation.id
        try turn.update(code)
        return made
    }

    /// It is counted, and the code blocked by the last one.
    private func wrongPUK(of known: RecoveryCode, _ index: Int, in turn: Turn) throws -> MobileRefusal {
        var code = known
        let limit = try world.settings(in: turn.db).maxRecoveryAttempts
        code.failedAttempts.increment()
        if code.failedAttempts >= limit { code.end(as: .blocked) }
        let left = max(0, limit.subtracting(code.failedAttempts))
        let refusal = MobileRefusal(
            left == 0 ? .recovery : .recoveryPUK,
            "The PUK is wrong; number \(index + 1) is due. "
                + (left == 0 ? "The recovery code is blocked." : left.countedLeft("attempt") + "."),
            currentPUKIndex: index + 1)
        return turn.kept(refusal) { [code] turn in
            if let previous = code.activation { _ = try activations.find(previous, in: turn) }
            try turn.update(code)
        }
    }

    /// One code with one PUK; usable when the activation is committed.
    private func giveRecoveryCode(to activation: Activation, in turn: Turn) throws -> RecoveryCode {
        let entropy = world.services.entropy
        var text: String
        repeat {
            text = try ActivationCode(random: entropy.bytes(10, "powerauth.recovery")).text
        } while try RecoveryCode.find(text, of: activation.application, in: turn.db) != nil
        let code = RecoveryCode(
            code: text, application: activation.application, user: activation.user,
            activation: activation.id, state: activation.state == .active ? .active : .created,
            failedAttempts: 0,
            puks: [.init(value: entropy.digits(10, for: "powerauth.recovery-puk"), state: .valid)])
        try turn.insert(code)
        return code
    }
}
