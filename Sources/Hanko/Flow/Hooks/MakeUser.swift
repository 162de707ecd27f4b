import Essentials
import PlatformKit
import SQLite

extension FlowHook {
    /// Before `success` of a registration: makes the user with everything that was collected.
    ///
    /// Until here there was only a reserved id, so an abandoned registration leaves nothing behind. Source: Hanko 2.7, Flow API.
    static let makeUser = FlowHook { step in
        guard let id = step.flow.stash.newUserID else { return }
        try step.makeUser(id)
        // From here on the flow is about somebody who exists.
        (step.flow.stash.userID, step.flow.stash.newUserID) = (id, nil)
    }
}

extension FlowStep {
    fileprivate mutating func makeUser(_ id: String) throws {
        let stash = flow.stash
        if let username = stash.username, let owner = try db.user(named: username) {
            throw FlowRefusal.technical(
                "The user \(owner.id) took the name \(username) while this registration was under way.")
        }
        try db.insert(User(id: id, username: stash.username, createdAt: now))
        if let address = stash.email { try giveAddress(address, to: id) }
        if let text = stash.passwordHash {
            let password = Password(
                id: entropy.uuid(for: "hanko.password"), userID: id, hash: text, createdAt: now,
                updatedAt: now)
            try db.save(password)
        }
        for credential in stash.newCredentials ?? [] { try db.insert(credential) }
        if stash.isOTPConfirmed == true, let secret = stash.otpSecret {
            try db.save(
                OTPSecret(
                    id: entropy.uuid(for: "hanko.otp"), userID: id, secret: secret, createdAt: now,
                    lastStep: stash.otpStep))
        }
        try audit(.userCreated, userID: id, address: stash.email)
        try announce(.userCreate, userID: id)
        note(
            "user created",
            "The user \(id) was created for \(stash.email ?? stash.username ?? "nobody") with "
                + (methods.isEmpty
                    ? "nothing to sign in with but a mailed code." : methods.joined(separator: ", ") + "."))
    }

    /// The primary address of a new user; a row that is nobody's is taken over.
    private func giveAddress(_ address: String, to userID: String) throws {
        let known = try db.email(address: address)
        let email = Email(
            id: known?.id ?? entropy.uuid(for: "hanko.email"), userID: userID, address: address,
            isVerified: flow.stash.isEmailVerified ?? known?.isVerified ?? false, isPrimary: true,
            createdAt: known?.createdAt ?? now, updatedAt: now)
        if let owner = known?.userID {
            throw FlowRefusal.technical(
                "The address \(address) became the user \(owner)'s while this registration was under way.")
        }
        if known == nil {
            try db.insert(email)
        } else {
            try db.update(email)
        }
    }

    private var methods: [String] {
        let stash = flow.stash
        return (stash.passwordHash == nil ? [] : ["a password"])
            + (stash.newCredentials ?? []).map { $0.isMFAOnly ? "a security key" : "a passkey" }
            + (stash.isOTPConfirmed == true ? ["an authenticator app"] : [])
    }
}
