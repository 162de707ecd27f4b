import Crypto
import Essentials
import PlatformKit
import SQLite
import WebAuthn

/// The ceremonies of one tenant with credentials of one kind, inside of a turn.
struct Ceremonies {
    let tenant: Tenant
    let rules: CeremonyRules
    let services: Services

    /// Who signed, and with what.
    struct Outcome: Sendable {
        let user: String
        let credential: String
        /// The app's own id of what was confirmed.
        var transaction: String?
    }

    init(_ tenant: Tenant, isMFA: Bool = false, _ services: Services) {
        (self.tenant, rules, self.services) = (tenant, CeremonyRules(tenant, isMFA: isMFA), services)
    }

    // MARK: Beginnings

    /// Keeps the user as the app describes one, and what waits for the answer.
    func beginRegistration(of user: User, in turn: Turn) throws -> PublicKeyMember<CreationOptions> {
        var kept = user
        if let known = try User.find(user.id, of: tenant.id, in: turn) {
            kept = User(
                tenantID: known.tenantID, id: known.id, name: user.name, displayName: user.displayName,
                icon: user.icon, createdAt: known.createdAt)
        }
        try turn.save(kept)
        let challenge = random()
        try keep(challenge, .registration, for: user.id, in: turn)
        return rules.creationOptions(challenge, for: kept)
    }

    /// - Parameter user: nil when the credential is to say who signs in.
    func beginLogin(of user: String?, in turn: Turn) throws -> PublicKeyMember<RequestOptions> {
        guard let user else {
            let challenge = random()
            try keep(challenge, .authentication, for: nil, in: turn)
            return rules.requestOptions(challenge)
        }
        guard try User.find(user, of: tenant.id, in: turn) != nil else {
            throw PasskeyAPIRefusal.userUnknown(user)
        }
        let credentials = try usable(by: user, .authentication, in: turn)
        let challenge = random()
        try keep(challenge, .authentication, for: user, allowing: credentials, in: turn)
        return rules.requestOptions(challenge, allowing: credentials)
    }

    /// - Parameter data: JSON.
    func beginTransaction(
        _ identifier: String, _ data: String, of user: String, in turn: Turn
    ) throws -> PublicKeyMember<RequestOptions> {
        guard try User.find(user, of: tenant.id, in: turn) != nil else {
            throw PasskeyAPIRefusal.userOfTransactionUnknown(user)
        }
        let isTaken = try turn.db.exists(
            SignedTransaction.self, where: "tenant_id = \(tenant.id) AND identifier = \(identifier)")
        guard !isTaken else { throw PasskeyAPIRefusal.transactionTaken(identifier) }
        let credentials = try usable(by: user, .transaction, in: turn)
        let challenge = SignedTransaction.challenge(random(), identifier, data)
        try turn.insert(
            SignedTransaction(
                id: services.entropy.uuid(for: "passkeyapi.transaction"), tenantID: tenant.id,
                identifier: identifier, userID: user, data: data, challenge: Base64URL.encode(challenge),
                createdAt: turn.now))
        try keep(challenge, .transaction, for: user, allowing: credentials, in: turn)
        return rules.requestOptions(challenge, allowing: credentials)
    }

    private func usable(by user: String, _ operation: Challenge.Operation, in turn: Turn) throws
        -> [Credential]
    {
        let credentials = try Credential.all(of: user, tenant.id, withMFA: rules.isMFA, in: turn.db)
        guard !credentials.isEmpty else { throw PasskeyAPIRefusal.noCredentials(of: user, operation) }
        return credentials
    }

    /// 32 bytes.
    private func random() -> [UInt8] { services.entropy.bytes(32, "passkeyapi.challenge") }

    private func keep(
        _ challenge: [UInt8], _ operation: Challenge.Operation, for user: String?,
        allowing credentials: [Credential] = [], in turn: Turn
    ) throws {
        try turn.insert(
            Challenge(
                challenge: Base64URL.encode(challenge), tenantID: tenant.id, operation: operation,
                userID: user,
                userVerification: rules.verification, allowedCredentials: credentials.map(\.id),
                expiresAt: turn.now.addingTimeInterval(Double(rules.timeout) / 1000)))
    }

    // MARK: Ends

    /// Stores the credential and uses the challenge up.
    func finishRegistration(_ posted: PostedCredential, in turn: Turn) throws -> Outcome {
        let challenge = try answered(posted, .registration, in: turn)
        let id = challenge.userID ?? ""
        guard let user = try User.find(id, of: tenant.id, in: turn) else {
            throw PasskeyAPIRefusal.userGone(id, .registration)
        }
        let verified: VerifiedRegistration
        do {
            if let refusal = posted.tokenBindingRefusal { throw refusal }
            verified = try RegistrationRequest(
                relyingParty: rules.party, challenge: challenge.issued,
                userVerification: challenge.userVerification,
                algorithms: CeremonyRules.algorithms.map(\.rawValue), tolerated: CeremonyRules.tolerated
            ).verify(posted.value, at: turn.now) {
                try Credential.find(Base64URL.encode($0), of: tenant.id, in: turn.db) != nil
            }
        } catch let refusal as WebAuthnRefusal {
            throw PasskeyAPIRefusal.attestation(refusal)
        }
        let credential = try Credential(verified, of: user, isMFA: rules.isMFA, at: turn.now)
        try turn.insert(credential)
        try turn.delete(challenge)
        noteLeniency(at: verified.origin, about: user.id, in: turn)
        turn.note(
            "passkey registered", about: user.id,
            "The user “\(user.name)” of the tenant “\(tenant.displayName)” has the \(rules.isMFA ? "second factor" : "passkey") "
                + "\(credential.id) now, with the attestation \(credential.attestationType).")
        return Outcome(user: user.id, credential: credential.id)
    }

    /// Notes the use of the credential and uses the challenge up.
    func finishLogin(
        _ posted: PostedCredential, _ operation: Challenge.Operation = .authentication, in turn: Turn
    ) throws -> Outcome {
        let challenge = try answered(posted, operation, in: turn)
        let id = signer(posted, challenge, operation)
        guard let user = try User.find(id, of: tenant.id, in: turn) else {
            throw PasskeyAPIRefusal.userGone(id, operation)
        }
        var credential = try verified(posted, by: user, challenge, in: turn)
        guard rules.isMFA || !credential.isMFA else {
            throw PasskeyAPIRefusal.secondFactorAlone(credential.id, operation)
        }
        credential.lastUsedAt = turn.now
        try turn.update(credential)
        try turn.delete(challenge)
        let text = challenge.challenge
        let transaction = try turn.first(
            SignedTransaction.self, where: "tenant_id = \(tenant.id) AND challenge = \(text)")
        return Outcome(user: user.id, credential: credential.id, transaction: transaction?.identifier)
    }

    private func noteLeniency(at origin: String, about user: String, in turn: Turn) {
        if let remark = rules.remark(onOrigin: origin) {
            turn.note("not in production", about: user, remark)
        }
    }

    /// Whom the challenge was for; of one for anybody, and of a transaction, whom the response names.
    private func signer(
        _ posted: PostedCredential, _ challenge: Challenge, _ operation: Challenge.Operation
    ) -> String {
        if operation == .authentication, let user = challenge.userID { return user }
        let handle = posted.userHandle ?? []
        // Handles of 16 bytes are UUIDs of an earlier version of the service.
        return UUIDText.text(of: handle) ?? String(decoding: handle, as: UTF8.self)
    }

    private func verified(
        _ posted: PostedCredential, by user: User, _ challenge: Challenge, in turn: Turn
    ) throws -> Credential {
        var known: Credential?
        do {
            if let refusal = posted.tokenBindingRefusal { throw refusal }
            let verified = try AuthenticationRequest(
                relyingParty: rules.party, challenge: challenge.issued,
                userVerification: challenge.userVerification,
                allowCredentials: challenge.allowedCredentials.compactMap { Base64URL.decode($0) },
                userHandle: challenge.userID == nil ? nil : user.handle, signCount: .allowsZero,
                tolerated: CeremonyRules.tolerated
            ).verify(posted.value, at: turn.now, others: { _ in [] }) { id in
                known = try Credential.find(Base64URL.encode(id), of: tenant.id, in: turn.db)
                return known.flatMap(CredentialRecord.init)
            }
            guard var credential = known, credential.userID == user.id else {
                throw PasskeyAPIRefusal.userGone(user.id, challenge.operation)
            }
            noteLeniency(at: verified.origin, about: user.id, in: turn)
            credential.isBackedUp = verified.record.isBackedUp
            credential.isBackupEligible = verified.record.isBackupEligible
            return credential
        } catch let refusal as WebAuthnRefusal {
            throw PasskeyAPIRefusal.assertion(refusal)
        }
    }

    private func answered(
        _ posted: PostedCredential, _ operation: Challenge.Operation, in turn: Turn
    ) throws -> Challenge {
        do {
            return try posted.answered { text in
                try turn.first(
                    Challenge.self,
                    where:
                        "challenge = \(text) AND tenant_id = \(tenant.id) AND operation = \(operation.rawValue)"
                )
            }
        } catch let unknown as ChallengeUnknown {
            throw PasskeyAPIRefusal.challengeUnknown(unknown, operation)
        }
    }
}

extension Credential {
    /// What is put on record after a registration.
    fileprivate init(_ verified: VerifiedRegistration, of user: User, isMFA: Bool, at now: Date) throws {
        let aaguid = UUIDText.text(of: verified.aaguid) ?? ""
        let id = Base64URL.encode(verified.credentialID)
        self.init(
            tenantID: user.tenantID, id: id, userID: user.id,
            name: AuthenticatorNames.name(of: aaguid) ?? "cred-" + id,
            publicKey: Base64URL.encode(try CBORDecoder.decode(verified.publicKey.bytes).encoded),
            attestationType: verified.attestation.format.rawValue, aaguid: aaguid,
            signCount: Int(verified.signCount), transports: verified.transports.filter { !$0.isEmpty },
            isBackupEligible: verified.flags.contains(.backupEligible),
            isBackedUp: verified.flags.contains(.backedUp), isMFA: isMFA, lastUsedAt: now, createdAt: now)
    }
}

extension CredentialRecord {
    /// Nil when the row cannot have come from a ceremony.
    fileprivate init?(_ credential: Credential) {
        guard let id = Base64URL.decode(credential.id),
            let publicKey = Base64URL.decode(credential.publicKey),
            let signCount = UInt32(exactly: credential.signCount)
        else { return nil }
        self.init(
            id: id, userHandle: Array(credential.userID.utf8), publicKey: publicKey, signCount: signCount,
            isUserVerificationInitialized: false, isBackupEligible: credential.isBackupEligible,
            isBackedUp: credential.isBackedUp)
    }
}
