import Essentials

// The transitions of the vendor's catalogue of events. Who may make one is checked before.
extension MobileTransaction {
    /// A device has read the message; for OTP its user is known from now on (M6).
    mutating func fetch(by profile: Profile, at now: Date) {
        (stored, fetchedAt) = (.fetched, now)
        (subject, clientID, profileID) = (profile.subject, profile.clientID, profile.id)
    }

    /// A final result, of which the portal is told.
    mutating func end(
        _ state: MobileTransactionState, _ reason: MobileTransactionReason? = nil, at now: Date,
        _ settings: MobileAuthenticationSettings
    ) {
        (stored, self.reason, endedAt) = (state, reason, now)
        // A text message's code comes back through the portal, which need not be called.
        guard !callbackURI.isEmpty else { return }
        callback = settings.holdsCallbacks ? .held : .queued
    }

    /// One wrong code; with the last one allowed the transaction fails (M7).
    ///
    /// - Parameter limit: 0 for none.
    mutating func countWrongCode(limit: Int, at now: Date, _ settings: MobileAuthenticationSettings) {
        attempts.increment()
        if limit > 0, attempts >= limit { end(.failed, .invalidRequest, at: now, settings) }
    }

    /// Runs out now instead of later.
    mutating func expire(at now: Date) { expiresAt = now }
}
