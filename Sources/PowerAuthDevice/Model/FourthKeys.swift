import Crypto
import DeviceKit
import PostQuantum

/// What only protocol 4.0 has of an activation.
struct FourthKeys: Sendable, Codable, Equatable {
    /// Keys by which one side signs.
    struct Signing: Sendable, Codable, Equatable {
        /// Of P-384, 97 bytes.
        let point: [UInt8]
        /// SubjectPublicKeyInfo of ML-DSA, in the suites that have it.
        let second: [UInt8]?
    }

    let algorithm: Protocol4.Algorithm
    let server: Signing
    let device: Signing
    /// The device's secret number, and the seed of its second key, encrypted with the key of the vault; 16 bytes of IV in front.
    let sealedDeviceKeys: [UInt8]
    let counterKey: [UInt8]
    let statusKey: [UInt8]
    let temporaryKeyRequestKey: [UInt8]
    let sharedInfo2Key: [UInt8]
    let personalizedDataKey: [UInt8]

    init(
        _ algorithm: Protocol4.Algorithm, secret: [UInt8], server: Signing, device: DeviceKeys, iv: [UInt8]
    ) throws {
        func key(_ key: Protocol4.SecretKeys) throws -> [UInt8] { try key.derived(from: secret) }
        (self.algorithm, self.server) = (algorithm, server)
        self.device = try device.signing()
        sealedDeviceKeys =
            try iv + AES.applyCTR(device.secretBytes(), key: key(.devicePrivate), counter: iv)
        counterKey = try key(.counterData)
        statusKey = try key(.status)
        temporaryKeyRequestKey = try key(.temporaryKeyRequest)
        sharedInfo2Key = try key(.sharedInfo2)
        personalizedDataKey = try key(.personalizedData)
    }

    /// What the key of the vault opens.
    ///
    /// - Throws: ``DeviceError`` when it is another's.
    func opened(by vaultKey: [UInt8]) throws -> DeviceKeys {
        let bytes = try AES.applyCTR(
            Array(sealedDeviceKeys.dropFirst(16)), key: vaultKey, counter: Array(sealedDeviceKeys.prefix(16)))
        guard let keys = try? DeviceKeys(algorithm, bytes), try keys.signing() == device else {
            throw DeviceError("the key of the vault opens another device's key")
        }
        return keys
    }

    func serverKeys() throws -> (point: PublicKey, second: MLDSA.VerificationKey?) {
        try Protocol4.keys(server.point, server.second, algorithm)
    }
}

/// The key pairs by which a device signs in protocol 4.0.
struct DeviceKeys {
    let point: PrivateKey
    let second: MLDSA.SigningKey?
    private let seed: [UInt8]

    /// Draws them.
    init(_ algorithm: Protocol4.Algorithm, drawing draw: (Int) -> [UInt8]) throws {
        point = try CurveKey.generate(draw, on: .p384)
        seed = algorithm.signature == nil ? [] : draw(MLDSA.seedCount)
        second = try algorithm.signature.map { [seed] in try MLDSA.SigningKey($0, seed: seed) }
    }

    /// - Parameter bytes: as ``secretBytes()`` tells them.
    init(_ algorithm: Protocol4.Algorithm, _ bytes: [UInt8]) throws {
        let size = Curve.p384.coordinateCount
        guard bytes.count >= size else { throw DeviceError("the device's keys are too short") }
        point = try PrivateKey(.p384, scalar: Array(bytes.prefix(size)))
        seed = Array(bytes.dropFirst(size))
        second = try algorithm.signature.map { [seed] in try MLDSA.SigningKey($0, seed: seed) }
    }

    func secretBytes() throws -> [UInt8] { try point.ecSecret() + seed }

    func signing() throws -> FourthKeys.Signing {
        FourthKeys.Signing(
            point: try point.publicKey.x962(), second: second?.verificationKey.subjectPublicKeyInfo)
    }
}
