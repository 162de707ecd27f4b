/// What the person answers.
package struct PhoneAnswer: Sendable, Codable, Equatable {
    package enum Verdict: String, Sendable, Codable { case approve, decline }

    package enum Way: String, Sendable, Codable, CaseIterable {
        case pin, biometry
        /// A PIN that is not the right one.
        case wrongPIN = "wrong-pin"
        /// Nothing but the phone itself.
        case possession
    }

    /// What is wrong with the answer, on purpose. What the phone keeps is as it was afterwards.
    package enum Fault: String, Sendable, Codable, CaseIterable {
        /// The same request two times, at the same moment.
        case twice
        /// The counter of the keys, or the challenge that is answered, is not the server's.
        case changedCounter = "changed-counter"
        /// Not the phone answers, but somebody who has copied the key that it keeps without PIN or biometry.
        case stolenKey = "stolen-key"
        /// The app says that the phone is rooted.
        case rooted
        /// A version of the protocol that the platform does not speak any more.
        case oldProtocol = "old-protocol"
        /// Something else is approved than the phone was shown.
        case otherData = "other-data"
        /// The phone was never asked: somebody knows the id of a request of another person or of another app.
        case unasked
    }

    package let verdict: Verdict
    /// Nil for the first that the request allows.
    package let way: Way?
    /// What was typed as the PIN; nil for the one that was set up.
    package let pin: String?
    /// Of a decline, in the platform's own words.
    package let reason: String?
    package let fault: Fault?
    /// Platform of the app that is meant; nil for the one that was asked.
    package let platform: String?
    /// Of its accounts, empty for the first; nil for the one that was asked.
    package let account: String?

    /// The same for the app that was asked.
    func by(_ name: AppName) -> Self {
        Self(
            verdict, by: way, pin: pin, reason: reason, fault: fault, at: name.platform, as: name.account)
    }

    package init(
        _ verdict: Verdict, by way: Way? = nil, pin: String? = nil, reason: String? = nil,
        fault: Fault? = nil,
        at platform: String? = nil, as account: String? = nil
    ) {
        (self.verdict, self.way, self.pin, self.reason, self.fault) = (verdict, way, pin, reason, fault)
        (self.platform, self.account) = (platform, account)
    }
}
