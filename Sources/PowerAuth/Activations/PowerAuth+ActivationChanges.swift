import Essentials
import SQLite

/// What becomes of an activation after its beginning.
extension PowerAuth {
    /// ACTIVE becomes BLOCKED. One that is blocked already stays as it is, without news.
    ///
    /// - Parameter reason: `NOT_SPECIFIED` when nil.
    func block(
        _ activation: Activation, reason: String?, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        switch activation.state(at: turn.now) {
        case .blocked: return .success(activation)
        case .active:
            var activation = activation
            activation.blockedReason = reason ?? Self.blockedWithoutReason
            return .success(
                try move(
                    activation, to: .blocked, reason: activation.blockedReason, by: externalUser, in: &turn))
        case let state: return .failure(.wrongState(state, wanted: "ACTIVE or BLOCKED"))
        }
    }

    /// BLOCKED becomes ACTIVE, with all its attempts. One that is active stays as it is, without news.
    func unblock(
        _ activation: Activation, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        switch activation.state(at: turn.now) {
        case .active: return .success(activation)
        case .blocked:
            var activation = activation
            activation.failedAttempts = 0
            return .success(try move(activation, to: .active, by: externalUser, in: &turn))
        case let state: return .failure(.wrongState(state, wanted: "BLOCKED or ACTIVE"))
        }
    }

    /// From any state; one that is removed stays as it is, without news. Tokens and push registration go with it.
    func remove(
        _ activation: Activation, by externalUser: String?, revokingRecoveryCodes: Bool, in turn: inout Turn
    ) throws -> Activation {
        guard activation.state != .removed else { return activation }
        return try end(
            activation, reason: nil, by: externalUser, revokingRecoveryCodes: revokingRecoveryCodes,
            in: &turn)
    }

    /// Gives another name, without news.
    func rename(
        _ activation: Activation, to name: String, by externalUser: String?, in turn: inout Turn
    ) throws -> Activation {
        var activation = activation
        activation.name = name
        activation.changedAt = turn.now
        try turn.db.update(activation)
        try turn.remember(activation, reason: "ACTIVATION_NAME_UPDATED", by: externalUser)
        return activation
    }

    /// Replaces the flags, without news.
    func setFlags(_ flags: [String], of activation: Activation, in turn: inout Turn) throws -> Activation {
        var activation = activation
        activation.flags = flags.unique
        activation.changedAt = turn.now
        try turn.db.update(activation)
        return activation
    }

    /// Another OTP for an activation that waits for its commit and checks one there, or checks none yet.
    func updateOTP(
        _ otp: String, of activation: Activation, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        let state = activation.state(at: turn.now)
        guard state == .pendingCommit else {
            return .failure(.wrongState(state, wanted: "PENDING_COMMIT"))
        }
        guard activation.commitPhase == .onCommit else { return .failure(.otpInWrongPhase) }
        var activation = activation
        activation.otp = salted(otp)
        activation.otpFailures = 0
        activation.changedAt = turn.now
        try turn.db.update(activation)
        try turn.remember(activation, reason: "ACTIVATION_OTP_VALUE_UPDATE", by: externalUser)
        turn.news.append(.activation(activation))
        return .success(activation)
    }

    /// Takes the step that leads to `state`, as the call for that step would: a commit, a block, the reverse, or the end. One that
    /// is there already stays as it is, without news. Nothing leads back, and nothing but a key exchange out of CREATED.
    func setState(
        _ state: Activation.State, of activation: Activation, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        switch (activation.state, state) {
        case (state, _): .success(activation)
        case (.removed, _): .failure(.wrongState(.removed, wanted: "any other state: REMOVED is final"))
        case (_, .removed): .success(try end(activation, reason: nil, in: &turn))
        case (.pendingCommit, .active): try commit(activation, otp: nil, by: nil, in: &turn)
        case (_, .active): try unblock(activation, by: nil, in: &turn)
        case (_, .blocked): try block(activation, reason: nil, by: nil, in: &turn)
        case (_, .created), (_, .pendingCommit):
            .failure(.wrongState(activation.state, wanted: "\(state.rawValue), to which no call leads"))
        }
    }

    /// Counts a wrong authentication code, and blocks at the maximum; or a right one of more than possession, which resets. It is
    /// a use as well.
    func count(
        failure isFailure: Bool, on activation: Activation, in turn: inout Turn
    ) throws -> Activation {
        var activation = activation
        activation.failedAttempts = isFailure ? activation.failedAttempts + 1 : 0
        activation.lastUsedAt = turn.now
        guard isFailure, activation.failedAttempts >= activation.maxFailedAttempts,
            activation.state == .active
        else {
            try activation.updateUse(in: turn.db)
            return activation
        }
        activation.blockedReason = Self.blockedByAttempts
        return try move(activation, to: .blocked, reason: Self.blockedByAttempts, in: &turn)
    }

    /// The end, with what follows elsewhere.
    func end(
        _ activation: Activation, reason: String?, by externalUser: String? = nil,
        revokingRecoveryCodes: Bool = false, in turn: inout Turn
    ) throws -> Activation {
        let activation = try move(activation, to: .removed, reason: reason, by: externalUser, in: &turn)
        try activationWasRemoved(activation, revokingRecoveryCodes: revokingRecoveryCodes, in: &turn)
        return activation
    }

    /// Writes a new state with everything else that the value has, its history, and the news.
    func move(
        _ activation: Activation, to state: Activation.State, reason: String? = nil,
        by externalUser: String? = nil, in turn: inout Turn
    ) throws -> Activation {
        var activation = activation
        activation.state = state
        if state != .blocked { activation.blockedReason = nil }
        activation.changedAt = turn.now
        try turn.db.update(activation)
        try turn.remember(activation, reason: reason, by: externalUser)
        turn.news.append(.activation(activation))
        return activation
    }
}

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
