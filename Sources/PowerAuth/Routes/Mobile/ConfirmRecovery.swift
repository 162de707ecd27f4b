import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /pa/v3/recovery/confirm`: makes a printed recovery code usable; encrypted for the activation, then signed
    /// (`/pa/recovery/confirm`, possession and knowledge).
    ///
    /// - Request: `{"recoveryCode"}`, encrypted; the code covers the encrypted body.
    /// - Response: `200`, encrypted `{"alreadyConfirmed"}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`, 401 `POWER_AUTH_RECOVERY_CONFIRM_ERROR` for everything else.
    /// - Source: PowerAuth documentation, “Activation recovery”.
    func confirmRecovery(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate(
                request, uriID: "/pa/recovery/confirm", types: [.possessionKnowledge], in: turn
            ) { sender in
                try encryption.open(
                    request, .confirmRecovery, refusingAs: .recoveryConfirmation, knowing: sender.activation,
                    in: turn
                ) { opened in
                    guard let text = opened.object?["recoveryCode"]?.string else {
                        throw MobileRefusal(.recoveryConfirmation, "The member recoveryCode is missing.")
                    }
                    let wasConfirmed = try RecoveryCode.confirm(text, of: sender.activation, in: turn)
                    return try encryption.sealed(
                        ["alreadyConfirmed": .boolean(wasConfirmed)], answering: opened)
                }
            }
        }
    }
}

extension RecoveryCode {
    /// Makes a printed code of the user usable.
    ///
    /// - Returns: whether it was before.
    /// - Throws: ``MobileRefusal``.
    static func confirm(_ text: String, of activation: Activation, in turn: Turn) throws -> Bool {
        guard var code = try find(text, of: activation.application, in: turn.db),
            code.user == activation.user
        else {
            throw MobileRefusal(
                .recoveryConfirmation,
                "The user \(activation.user) has no recovery code \(text.prefix(40)) for \(activation.application)."
            )
        }
        switch code.state {
        case .created:
            code.state = .active
            try turn.update(code, .state)
            return false
        case .active: return true
        case .blocked, .revoked:
            throw MobileRefusal(
                .recoveryConfirmation,
                "The recovery code is \(code.state.rawValue), expected CREATED or ACTIVE.")
        }
    }
}
