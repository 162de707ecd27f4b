import Crypto

extension HankoFixtures.PasswordFixture {
    init(_ password: Password) {
        self.init(
            id: password.id, text: nil, hash: password.hash, createdAt: password.createdAt,
            updatedAt: password.updatedAt)
    }
}

extension HankoFixtures.OTPFixture {
    init(_ secret: OTPSecret) {
        self.init(id: secret.id, secret: secret.secret, createdAt: secret.createdAt)
    }
}

extension HankoFixtures.CredentialFixture {
    init(_ credential: Credential) {
        self.init(
            id: credential.id, name: credential.name, publicKey: Base64URL.encode(credential.publicKey),
            attestationType: credential.attestationType, aaguid: credential.aaguid,
            signCount: credential.signCount, transports: credential.transports,
            isBackupEligible: credential.isBackupEligible, isBackedUp: credential.isBackedUp,
            isMFAOnly: credential.isMFAOnly, lastUsedAt: credential.lastUsedAt,
            createdAt: credential.createdAt, updatedAt: credential.updatedAt)
    }
}

extension HankoFixtures.IdentityFixture {
    init(_ identity: Identity) {
        self.init(
            id: identity.id, provider: identity.provider, subject: identity.subject,
            emailID: identity.emailID, claims: identity.claims, createdAt: identity.createdAt,
            updatedAt: identity.updatedAt, needsProof: identity.needsProof ? true : nil)
    }
}

extension HankoFixtures.MetadataFixture {
    init(_ metadata: Metadata) {
        self.init(public: metadata.public, private: metadata.private, unsafe: metadata.unsafe)
    }
}

extension HankoFixtures.TrustedDeviceFixture {
    init(_ device: TrustedDevice) {
        self.init(
            token: device.token, userID: device.userID, createdAt: device.createdAt,
            expiresAt: device.expiresAt)
    }
}

extension HankoFixtures.ChallengeFixture {
    init(_ challenge: Challenge) {
        self.init(
            challenge: challenge.challenge, ceremony: challenge.ceremony, userID: challenge.userID,
            userVerification: challenge.userVerification,
            allowedCredentials: challenge.allowedCredentials, createdAt: challenge.createdAt,
            expiresAt: challenge.expiresAt)
    }
}
