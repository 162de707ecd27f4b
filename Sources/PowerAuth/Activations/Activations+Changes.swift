import Essentials
import PlatformKit
import SQLite

// What becomes of an activation after its beginning.
extension Activations {
    /// ACTIVE becomes BLOCKED. One that is blocked already stays as it is, and nobody is told.
    ///
    /// - Parameter reason: `NOT_SPECIFIED` when nil.
    func block(
        _ activation: Activation, reason: String?, by externalUser: String?, in turn: Turn
    ) throws -> Activation {
        if activation.state == .blocked { return activation }
        try require(.active, of: activation, or: "ACTIVE or BLOCKED", in: turn)
        var activation = activation
        activation.blockedReason = reason ?? Self.blockedWithoutReason
        return try move(
            activation, to: .blocked, reason: activation.blockedReason, by: externalUser, in: turn)
    }

    /// BLOCKED becomes ACTIVE, with all its attempts. One that is active stays as it is, and nobody is told.
    func unblock(
        _ activation: Activation, by externalUser: String?, in turn: Turn
    ) throws -> Activation {
        if activation.state == .active { return activation }
        try require(.blocked, of: activation, or: "BLOCKED or ACTIVE", in: turn)
        var activation = activation
        activation.failedAttempts = 0
        return try move(activation, to: .active, by: externalUser, in: turn)
    }

    /// From any state; one that is removed stays as it is, and nobody is told. Tokens and push registration go with it.
    func remove(
        _ stored: Activation, by externalUser: String?, revokingRecoveryCodes: Bool, in turn: Turn
    ) throws -> Activation {
        let activation = try current(stored, in: turn)
        guard activation.state != .removed else { return activation }
        return try end(
            activation, reason: nil, by: externalUser, revokingRecoveryCodes: revokingRecoveryCodes,
            in: turn)
    }

    /// Gives another name, which nobody is told.
    func rename(
        _ activation: Activation, to name: String, by externalUser: String?, in turn: Turn
    ) throws -> Activation {
        try require(.pendingCommit, .active, of: activation, or: "PENDING_COMMIT or ACTIVE", in: turn)
        var activation = activation
        activation.name = name
        activation.changedAt = turn.now
        try turn.update(activation, .name, .changedAt)
        try turn.remember(activation, reason: "ACTIVATION_NAME_UPDATED", by: externalUser)
        return activation
    }

    /// Replaces the flags, which nobody is told.
    func setFlags(_ flags: [String], of activation: Activation, in turn: Turn) throws -> Activation {
        var activation = activation
        activation.flags = flags.unique
        activation.changedAt = turn.now
        try turn.update(activation, .flags, .changedAt)
        return activation
    }

    /// Another OTP for an activation that waits for its commit and checks one there, or checks none yet.
    func updateOTP(
        _ otp: String, of activation: Activation, by externalUser: String?, in turn: Turn
    ) throws -> Activation {
        try require(.pendingCommit, of: activation, or: "PENDING_COMMIT", in: turn)
        guard activation.commitPhase == .onCommit else { throw ActivationRefusal.otpInWrongPhase }
        var activation = activation
        activation.otp = salted(otp)
        activation.otpFailures = 0
        activation.changedAt = turn.now
        try turn.update(activation, .otp, .otpFailures, .changedAt)
        try tell(of: activation, reason: "ACTIVATION_OTP_VALUE_UPDATE", by: externalUser, in: turn)
        return activation
    }

    /// Takes the step that leads to `state`, as the call for that step would: a commit, a block, the reverse, or the end. One that
    /// is there already stays as it is, and nobody is told. Nothing leads back, and nothing but a key exchange out of CREATED.
    func setState(
        _ state: Activation.State, of activation: Activation, in turn: Turn
    ) throws -> Activation {
        switch (activation.state, state) {
        case (state, _): return activation
        case (.removed, _):
            throw ActivationRefusal.wrongState(.removed, wanted: "any other state: REMOVED is final")
        case (_, .removed): return try end(activation, reason: nil, in: turn)
        case (.pendingCommit, .active): return try commit(activation, otp: nil, by: nil, in: turn)
        case (_, .active): return try unblock(activation, by: nil, in: turn)
        case (_, .blocked): return try block(activation, reason: nil, by: nil, in: turn)
        case (_, .created), (_, .pendingCommit):
            throw ActivationRefusal.wrongState(
                activation.state, wanted: "\(state.rawValue), to which no call leads")
        }
    }

    /// Writes what a use of an active activation made of it. A block by too many wrong codes is remembered and told.
    func store(use after: Activation, of before: Activation, in turn: Turn) throws {
        guard after.state != before.state else { return try after.updateFailures(in: turn) }
        try turn.update(after)
        try tell(of: after, reason: after.blockedReason, in: turn)
    }

    /// One that ran out of time is ended, also when this refuses.
    ///
    /// - Parameter wanted: how the states are called.
    func require(
        _ states: Activation.State..., of activation: Activation, or wanted: String, in turn: Turn
    ) throws {
        let state = activation.state(at: turn.now)
        if states.contains(state) { return }
        let refusal = ActivationRefusal.wrongState(state, wanted: wanted)
        throw activation.hasRunOut(at: turn.now) ? ended(activation, refusal, in: turn) : refusal
    }

    func ended(_ activation: Activation, _ refusal: ActivationRefusal, in turn: Turn) -> ActivationRefusal {
        turn.kept(refusal) { _ = try find(activation.id, in: $0) }
    }

    /// The end, with what follows elsewhere: pushes stop, tokens go.
    func end(
        _ activation: Activation, reason: String?, by externalUser: String? = nil,
        revokingRecoveryCodes: Bool = false, in turn: Turn
    ) throws -> Activation {
        let activation = try move(activation, to: .removed, reason: reason, by: externalUser, in: turn)
        try turn.db.delete(Token.self, where: "activation = \(activation.id)")
        try RecoveryCode.release(of: activation, revoking: revokingRecoveryCodes, in: turn)
        try turn.db.delete(PushDevice.self, where: "activation = \(activation.id)")
        return activation
    }

    /// Writes a new state with everything else that the value has, remembers and tells it.
    func move(
        _ activation: Activation, to state: Activation.State, reason: String? = nil,
        by externalUser: String? = nil, in turn: Turn
    ) throws -> Activation {
        let before = activation.subjects
        var activation = activation
        activation.state = state
        if state != .blocked { activation.blockedReason = nil }
        activation.changedAt = turn.now
        turn.concern(before)
        try turn.update(activation)
        try tell(of: activation, reason: reason, by: externalUser, in: turn)
        return activation
    }

    func tell(
        of activation: Activation, reason: String? = nil, by externalUser: String? = nil, in turn: Turn
    ) throws {
        try turn.remember(activation, reason: reason, by: externalUser)
        try Announcements(world).tell(of: activation, in: turn)
    }
}
