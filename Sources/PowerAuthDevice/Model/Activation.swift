import DeviceKit

/// What the device keeps after an activation. The secret of both sides and the keys that the vault protects are not among it.
package struct Activation: Sendable, Codable, Equatable {
    package let id: String
    /// The eight digits that people compare before they commit.
    package let fingerprint: String
    let possessionKey: [UInt8]
    package var knowledgeKey: LockedKey
    /// Nil as long as the person has not set up biometry.
    package var biometryKey: [UInt8]?
    package var counter: HashCounter
    /// Of protocol 3.x; nil in 4.0.
    var third: ThirdKeys?
    /// Of protocol 4.0; nil in 3.x.
    var fourth: FourthKeys?
    /// What the server has still to hear, by protocol 4.0.
    package var pending: Pending?

    package enum Pending: String, Sendable, Codable {
        /// That the person has chosen a PIN.
        case confirmation
        /// That the device has the keys of protocol 4.0.
        case upgrade
    }

    /// What only protocol 3.x has.
    struct ThirdKeys: Sendable, Codable, Equatable {
        /// Points in 65 bytes.
        let serverKey: [UInt8]
        let deviceKey: [UInt8]
        /// The secret number of the device's key, encrypted with the key of the vault.
        let sealedDeviceKey: [UInt8]
        let transportKey: [UInt8]
    }

    /// - Throws: ``DeviceError`` for an activation of protocol 4.0.
    func ofThird() throws -> ThirdKeys {
        guard let third else { throw DeviceError("the activation speaks protocol 4.0") }
        return third
    }

    /// - Throws: ``DeviceError`` for an activation of protocol 3.x.
    func ofFourth() throws -> FourthKeys {
        guard let fourth else { throw DeviceError("the activation speaks protocol 3") }
        return fourth
    }

    /// The point of the server's key by which it signs for the activation.
    package var serverKey: [UInt8] { third?.serverKey ?? fourth?.server.point ?? [] }
    /// The point of the device's key.
    package var deviceKey: [UInt8] { third?.deviceKey ?? fourth?.device.point ?? [] }
    /// The suite of protocol 4.0; nil in 3.x.
    package var algorithm: Protocol4.Algorithm? { fourth?.algorithm }
}
