/// What the device keeps after an activation. The master secret and the keys that the vault protects are not among it.
package struct Activation: Sendable, Codable, Equatable {
    package let id: String
    /// The eight digits that people compare before they commit.
    package let fingerprint: String
    /// Points in 65 bytes.
    package let serverKey: [UInt8]
    package let deviceKey: [UInt8]
    /// The secret number of the device's key, encrypted with the key of the vault.
    package let sealedDeviceKey: [UInt8]
    package let transportKey: [UInt8]
    package let possessionKey: [UInt8]
    package var knowledgeKey: LockedKey
    /// Nil as long as the person has not set up biometry.
    package var biometryKey: [UInt8]?
    package var counter: HashCounter
}
