import Essentials

/// When a second factor is asked for. Source: the device protocol, table “when a second factor is asked”; the quick start “AppLogin”
/// for what follows an enrolment and a logout.
struct SecondFactorRule: Sendable {
    enum Answer: Sendable, Equatable {
        case none
        /// A PIN has to be chosen first.
        case set
        case verify
    }

    /// Seconds after an enrolment in which an AppLogin is silent.
    static let silentSeconds = 60.0

    let type: FlowType
    let isHeadless: Bool
    let factor: SecondFactor
    /// Minutes.
    let pinTimeout: Int
    /// Minutes.
    let pinTransTimeout: Int
    /// The app asks for a second factor at a login without a running AppLogin.
    var asksIfInactive = false
    var hasAppLogin = false

    func answer(at now: Date) -> Answer {
        if isHeadless { return .none }
        if factor.pinKey == nil { return .set }
        switch type {
        case .enrol: return .verify
        case .transaction: return pinTransTimeout == -1 ? .none : .verify
        case .login: return asksIfInactive && !hasAppLogin ? .verify : answerByTimeout(at: now)
        case .appLogin:
            if factor.isErased { return .verify }
            if let enrolled = factor.enrolledAt, isSilent(since: enrolled, at: now) { return .none }
            return answerByTimeout(at: now)
        }
    }

    /// A kept time is rounded to milliseconds, and may lie a little ahead of the clock.
    private func isSilent(since enrolled: Date, at now: Date) -> Bool {
        -0.001...Self.silentSeconds ~= now.timeIntervalSince(enrolled)
    }

    private func answerByTimeout(at now: Date) -> Answer {
        if pinTimeout < 0 { return .none }
        guard pinTimeout > 0, let verified = factor.verifiedAt else { return .verify }
        return now.timeIntervalSince(verified) > Double(pinTimeout) * 60 ? .verify : .none
    }
}
