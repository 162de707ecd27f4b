import Essentials
import SQLite

/// What came of an account at a provider: whose it is now.
struct ThirdPartyLink: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case signedIn, linked, signedUp }

    let kind: Kind
    let userID: String
    let identityID: String
    /// The address that the provider brought and that is the user's since then.
    let newEmail: Email?
}

/// Finds or makes the user of an account at a provider. Source: Hanko 2.7, account linking.
struct ThirdPartyLinker {
    let account: ThirdPartyAccount
    let provider: ThirdPartyProvider
    let state: ThirdPartyState
    let configuration: Configuration
    /// Of the rows that may have to be made.
    let ids: (user: String, email: String, identity: String)
    let now: Date

    /// In a flow the original links to the user of an address that the provider has not verified, and signs in whoever claims it.
    /// Here such an account needs a proof first: a code that goes to the address.
    ///
    /// - Throws: ``ThirdPartyRefusal``; then nothing may be kept.
    func link(in db: Connection) throws -> ThirdPartyLink {
        let known = try db.identity(provider: provider.id, subject: account.subject)
        if let known { return try signIn(known, in: db) }
        if let userID = state.userID { return try connect(to: userID, in: db) }
        guard let address = account.address else { throw ThirdPartyRefusal.addressMissing }
        let mustBeVerified = !state.isFlow && configuration.email.requiresVerification
        if mustBeVerified, !account.isVerified { throw ThirdPartyRefusal.addressUnverified(address) }
        let email = try db.email(address: address)
        if let email, let owner = email.userID {
            guard provider.allowsLinking else { throw ThirdPartyRefusal.userConflict(address, userID: owner) }
            return try addIdentity(
                .linked, userID: owner, emailID: email.id, newEmail: nil,
                needsProof: configuration.email.requiresVerification && !account.isVerified, in: db)
        }
        return try signUp(address, known: email, in: db)
    }

    private func signIn(_ known: Identity, in db: Connection) throws -> ThirdPartyLink {
        if let userID = state.userID, userID != known.userID {
            throw ThirdPartyRefusal.identityTaken(userID: known.userID)
        }
        var identity = known
        identity.claims = account.claims
        identity.updatedAt = now
        var newEmail: Email?
        let old = try known.emailID.flatMap { try db.email($0) }
        let isVouchedFor = account.isVerified && old != nil && account.address == old?.address
        if isVouchedFor || state.userID != nil { identity.needsProof = false }
        if identity.needsProof {
            // Until then another address of the account must not become the user's.
            if !state.isFlow, configuration.email.requiresVerification {
                throw ThirdPartyRefusal.addressUnverified(account.address ?? "any address")
            }
        } else if let address = account.address, address != old?.address {
            let (email, isNew) = try ownAddress(address, of: known.userID, in: db)
            identity.emailID = email.id
            newEmail = isNew ? email : nil
        }
        try db.update(identity)
        return ThirdPartyLink(
            kind: .signedIn, userID: known.userID, identityID: known.id, newEmail: newEmail)
    }

    /// The account of a provider beside what a signed-in user has.
    private func connect(to userID: String, in db: Connection) throws -> ThirdPartyLink {
        var (emailID, newEmail): (String?, Email?)
        if let address = account.address {
            let (email, isNew) = try ownAddress(address, of: userID, in: db)
            (emailID, newEmail) = (email.id, isNew ? email : nil)
        }
        return try addIdentity(.linked, userID: userID, emailID: emailID, newEmail: newEmail, in: db)
    }

    private func signUp(_ address: String, known: Email?, in db: Connection) throws -> ThirdPartyLink {
        guard configuration.account.allowsSignup else { throw ThirdPartyRefusal.signupOff }
        try db.insert(
            User(
                id: ids.user, name: account.name, givenName: account.givenName,
                familyName: account.familyName, picture: account.picture, createdAt: now))
        let email = try assign(address, known, to: ids.user, isPrimary: true, in: db)
        return try addIdentity(.signedUp, userID: ids.user, emailID: email.id, newEmail: email, in: db)
    }

    private func addIdentity(
        _ kind: ThirdPartyLink.Kind, userID: String, emailID: String?, newEmail: Email?,
        needsProof: Bool = false, in db: Connection
    ) throws -> ThirdPartyLink {
        try db.insert(
            Identity(
                id: ids.identity, userID: userID, provider: provider.id, subject: account.subject,
                emailID: emailID, claims: account.claims, createdAt: now, updatedAt: now,
                needsProof: needsProof))
        return ThirdPartyLink(kind: kind, userID: userID, identityID: ids.identity, newEmail: newEmail)
    }

    /// The provider's address among those of the user; added where it is not.
    private func ownAddress(
        _ address: String, of userID: String, in db: Connection
    ) throws -> (email: Email, isNew: Bool) {
        let known = try db.email(address: address)
        if let known, let owner = known.userID {
            guard owner == userID else {
                throw state.userID == nil
                    ? ThirdPartyRefusal.multipleAccounts(address, userID: owner)
                    : ThirdPartyRefusal.userConflict(address, userID: owner)
            }
            return (known, false)
        }
        let present = try db.emails(of: userID)
        guard present.count < configuration.email.limit else {
            throw ThirdPartyRefusal.tooManyAddresses(limit: configuration.email.limit)
        }
        return (try assign(address, known, to: userID, isPrimary: present.isEmpty, in: db), true)
    }

    private func assign(
        _ address: String, _ known: Email?, to userID: String, isPrimary: Bool, in db: Connection
    ) throws -> Email {
        let email = Email(
            id: known?.id ?? ids.email, userID: userID, address: address,
            isVerified: account.isVerified || known?.isVerified == true, isPrimary: isPrimary,
            createdAt: known?.createdAt ?? now, updatedAt: now)
        try known == nil ? db.insert(email) : db.confirm(email)
        return email
    }
}
