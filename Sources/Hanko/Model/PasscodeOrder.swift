import Essentials

/// What a request for a passcode says of the user and of the address that it shall go to.
struct PasscodeOrder: Sendable {
    let userID: String
    /// `email_id` of the body, as it came.
    let emailID: String?
    /// The cookie `hanko_email_id`, as it came.
    let cookie: String?
    /// The user whose session the request carries.
    let signedInAs: String?
    /// Whether the address that the user registered is taken where nothing else names one.
    let assumesPendingAddress: Bool
    /// Nil where limits are off.
    let limit: Limit?

    struct Limit: Sendable {
        let rule: RateLimit.Rule
        let route: String
        let userID: String
        let clientAddress: String

        var key: String { "\(route)/\(userID)/\(clientAddress)" }
        /// What is counted, in words.
        var calls: String { "\(route) for the user \(userID) from \(clientAddress)" }
    }

    /// Why no passcode may go to `email`; nil when it may. Source: Hanko 2.7, `/passcode/login/initialize`.
    func refusal(of email: Email) -> HankoError? {
        if let signedInAs, signedInAs != userID {
            return .sessionOfAnother(signedInAs: signedInAs, userID: userID)
        }
        if let owner = email.userID, owner != userID {
            return .addressOfAnother(email.address, userID: owner)
        }
        return nil
    }
}
