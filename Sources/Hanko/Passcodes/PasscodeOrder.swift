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
    let limit: CallLimit?

    /// Why no passcode may go to `email`; nil when it may. Source: Hanko 2.7, `/passcode/login/initialize`.
    func refusal(of email: Email) -> HankoRefusal? {
        if let signedInAs, signedInAs != userID {
            return .sessionOfAnother(signedInAs: signedInAs, userID: userID)
        }
        if let owner = email.userID, owner != userID {
            return .addressOfAnother(email.address, userID: owner)
        }
        return nil
    }
}

/// Whom a right code may sign in. Source: Hanko 2.7, `/passcode/login/finalize`.
struct PasscodeClaim: Sendable {
    let passcode: Passcode
    /// Where the code was sent.
    let email: Email
    /// The addresses that the passcode's user has.
    let addresses: [Email]
    /// The user whose session the request carries.
    let signedInAs: String?

    /// Nil for the three combinations that are allowed: a sign-in, the first confirmation after `POST /users`, and another
    /// address for the user who is signed in.
    var refusal: HankoRefusal? {
        if let owner = email.userID, owner != passcode.userID {
            return .addressClaimed(email.address, userID: owner)
        }
        if let signedInAs {
            return signedInAs == passcode.userID
                ? nil : .passcodeOfAnotherUser(signedInAs: signedInAs, userID: passcode.userID)
        }
        return email.userID == passcode.userID || addresses.isEmpty
            ? nil : .addressNeedsSession(email.address, userID: passcode.userID)
    }

    /// The address as the code leaves it: verified, the user's, and primary if there is no other; nil when it was all that.
    func confirmedEmail(at now: Date) -> Email? {
        if email.isVerified, email.userID != nil { return nil }
        return Email(
            id: email.id, userID: passcode.userID, address: email.address, isVerified: true,
            isPrimary: email.isPrimary || !addresses.contains(where: \.isPrimary), createdAt: email.createdAt,
            updatedAt: now)
    }
}
