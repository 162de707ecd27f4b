import SQLite

/// What follows elsewhere from a change of an activation, in the same transaction.
extension PowerAuth {
    /// It was committed: so is the recovery code that it received.
    func activationWasCommitted(_ activation: Activation, in turn: inout Turn) throws {
        try confirmRecoveryCodes(of: activation, in: turn)
    }

    /// It was removed: pushes stop, tokens go.
    func activationWasRemoved(
        _ activation: Activation, revokingRecoveryCodes: Bool, in turn: inout Turn
    ) throws {
        try turn.db.delete(Token.self, where: "activation = \(activation.id)")
        try releaseRecoveryCodes(of: activation, revoking: revokingRecoveryCodes, in: turn)
        try turn.db.delete(PushDevice.self, where: "activation = \(activation.id)")
    }
}
