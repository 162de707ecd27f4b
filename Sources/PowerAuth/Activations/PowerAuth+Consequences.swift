import SQLite

/// What follows elsewhere from a change of an activation, in the same transaction.
extension PowerAuth {
    /// It was committed.
    func activationWasCommitted(_ activation: Activation, in turn: inout Turn) throws {}

    /// It was removed: pushes stop.
    func activationWasRemoved(
        _ activation: Activation, revokingRecoveryCodes: Bool, in turn: inout Turn
    ) throws {
        try PushDeviceStore().remove(activation: activation.id, in: turn.db)
    }
}
