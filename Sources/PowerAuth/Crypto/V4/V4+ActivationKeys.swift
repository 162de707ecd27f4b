extension V4 {
    /// The keys that follow from the secret of an activation. Each is 32 bytes, and is derived when it is asked for.
    struct ActivationKeys: Sendable {
        private let secret: [UInt8]

        init(secret: [UInt8]) { self.secret = secret }

        /// The key that proves a factor; of knowledge and biometry the first one, which an exchange replaces.
        func factor(_ factor: AuthenticationFactor) throws -> [UInt8] {
            try derive(secret, along: "auth", "auth/\(factor.rawValue)")
        }

        /// KEK_DEVICE_PRIVATE
        func devicePrivate() throws -> [UInt8] { try vault("kek-device-private") }
        /// KDK_APP_VAULT_KNOWLEDGE
        func applicationVaultOfKnowledge() throws -> [UInt8] { try vault("kdk-app-vault-knowledge") }
        /// KDK_APP_VAULT_2FA
        func applicationVaultOfTwoFactors() throws -> [UInt8] { try vault("kdk-app-vault-2fa") }

        /// KEY_MAC_CTR_DATA
        func counterData() throws -> [UInt8] { try utility("mac/ctr-data") }
        /// KEY_MAC_STATUS
        func status() throws -> [UInt8] { try utility("mac/status") }
        /// KEY_MAC_GET_ACT_TEMP_KEY
        func temporaryKeyRequest() throws -> [UInt8] { try utility("mac/get-act-temp-key") }
        /// KEY_MAC_PERSONALIZED_DATA
        func personalizedData() throws -> [UInt8] { try utility("mac/personalized-data") }
        /// KEY_E2EE_SHARED_INFO2
        func sharedInfo2() throws -> [UInt8] { try utility("key-e2ee-sh2") }

        private func vault(_ label: String) throws -> [UInt8] {
            try derive(secret, along: "vault", "vault/\(label)")
        }

        private func utility(_ label: String) throws -> [UInt8] {
            try derive(secret, along: "util", "util/\(label)")
        }
    }

    /// KEY_MAC_GET_APP_TEMP_KEY, of an application without an activation.
    static func temporaryKeyRequest(of secret: ApplicationSecret) throws -> [UInt8] {
        try derive(secret.decoded, "util/mac/get-app-temp-key")
    }
}
