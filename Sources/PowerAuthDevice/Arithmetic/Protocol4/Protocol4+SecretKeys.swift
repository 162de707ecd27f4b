extension Protocol4 {
    /// The keys below the secret of an activation. Source: PowerAuth documentation 2.x, “Key Derivation”.
    enum SecretKeys: String, CaseIterable {
        case possession = "auth auth/possession"
        case knowledge = "auth auth/knowledge"
        case biometry = "auth auth/biometry"
        case devicePrivate = "vault vault/kek-device-private"
        case applicationVaultKnowledge = "vault vault/kdk-app-vault-knowledge"
        case applicationVaultTwoFactors = "vault vault/kdk-app-vault-2fa"
        case counterData = "util util/mac/ctr-data"
        case status = "util util/mac/status"
        case temporaryKeyRequest = "util util/mac/get-act-temp-key"
        case personalizedData = "util util/mac/personalized-data"
        case sharedInfo2 = "util util/key-e2ee-sh2"

        func derived(from secret: [UInt8]) throws -> [UInt8] {
            try rawValue.split(separator: " ").reduce(secret) { try key($0, String($1)) }
        }
    }

    /// What signs the request for a temporary key before there is an activation.
    static func temporaryKeyRequestKey(applicationSecret: [UInt8]) throws -> [UInt8] {
        try key(applicationSecret, "util/mac/get-app-temp-key")
    }
}
