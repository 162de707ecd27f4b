/// What came of an authentication code, an offline code or a MAC token.
struct AuthenticationOutcome: Sendable, Equatable {
    let isValid: Bool
    /// After the check; nil for one that never was.
    let activation: Activation?
    /// Nil when the application key fits no supported version of the activation's application: back ends hear less then.
    let application: Application?
    let type: SignatureType?
    /// Right after success the maximum, 0 when blocked.
    let remainingAttempts: Int
    /// Nil when valid.
    let failure: AuthenticationFailure?

    /// For the journal: what was checked, expected and got, what would have been right, and how many attempts remain. Empty when valid.
    ///
    /// It is found when asked for, which may take milliseconds: not inside of a transaction.
    var explanation: String { failure?.explanation ?? "" }
}
