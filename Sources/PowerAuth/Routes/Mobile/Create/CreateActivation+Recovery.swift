import Crypto
import Essentials
import PlatformKit
import SQLite

extension PowerAuth {
    /// Trades a recovery code and the PUK that is due for a new activation, and removes the one before. With its last PUK the code is
    /// REVOKED, as published tests of the PowerAuth Server expect.
    func recover(
        _ layer: ActivationLayer, code text: String, puk: String, _ terms: ActivationTerms,
        givesRecovery: Bool, in turn: Turn
    ) throws -> MadeActivation {
        guard var code = try RecoveryCode.find(text, of: layer.application.id, in: turn.db) else {
            throw MobileRefusal(
                .recovery,
                "The application \(layer.application.id) has no recovery code «\(text.prefix(40))»."
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
        let made = try complete(
            newActivation(of: code.user, terms, layer.application, in: turn), layer,
            givesRecovery: givesRecovery, in: turn)
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
        code.failedAttempts += 1
        if code.failedAttempts >= limit { code.end(as: .blocked) }
        let left = max(0, limit - code.failedAttempts)
        let refusal = MobileRefusal(
            .recovery,
            "The PUK is wrong; number \(index + 1) is due. "
                + (left == 0 ? "The recovery code is blocked." : "\(left) attempts are left."),
            currentPUKIndex: index + 1)
        return turn.kept(refusal) { [code] turn in
            if let previous = code.activation { _ = try activations.find(previous, in: turn) }
            try turn.update(code)
        }
    }

    /// One code with one PUK; usable when the activation is committed.
    func giveRecoveryCode(to activation: Activation, in turn: Turn) throws -> RecoveryCode {
        let entropy = services.entropy
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
