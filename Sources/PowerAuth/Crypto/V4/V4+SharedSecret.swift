import Crypto
import Essentials
import PostQuantum

extension V4 {
    /// A device's wish to share a secret: new public keys of its own, one for each key encapsulation of a suite.
    struct SharedSecretRequest: Sendable, Equatable {
        let suite: Suite
        let point: CurvePoint
        /// In the suites that have a second encapsulation.
        let encapsulationKey: MLKEM.EncapsulationKey?

        /// - Throws: ``ProtocolFault`` for a suite that is none, another number of keys, and a key that is none.
        init(_ json: JSONValue) throws {
            guard let name = json["algorithm"]?.string else {
                throw Self.fault("algorithm", Self.names, "nothing")
            }
            guard let suite = Suite(rawValue: name) else {
                throw Self.fault("algorithm", Self.names, "“\(name.prefix(40))”")
            }
            guard let keys = json["encapsulationKeys"]?.strings else {
                throw Self.fault("encapsulationKeys", "a list of texts", "something else")
            }
            let count = suite.encapsulation == nil ? 1 : 2
            guard keys.count == count else {
                throw Self.fault("encapsulationKeys", "\(count) for \(suite.rawValue)", "\(keys.count)")
            }
            self.suite = suite
            point = try publicPoint(
                decodeBase64(keys[0], part: "encapsulationKeys[0]"), of: "encapsulationKeys[0]")
            encapsulationKey = try suite.encapsulation.map { try Self.key(keys[1], $0) }
        }

        private static func key(_ text: String, _ set: MLKEM) throws -> MLKEM.EncapsulationKey {
            do {
                return try MLKEM.EncapsulationKey(
                    set, subjectPublicKeyInfo: decodeBase64(text, part: "encapsulationKeys[1]"))
            } catch let error as PostQuantumError {
                throw fault("encapsulationKeys[1]", "a public key of \(set.rawValue)", error.description)
            }
        }

        private static let names = Suite.allCases.map(\.rawValue).joined(separator: ", ")

        private static func fault(_ part: String, _ expected: String, _ got: String) -> ProtocolFault {
            .malformed(part: part, expected: expected, got: got)
        }
    }

    /// What the server drew for one answer.
    struct SharedSecretDraw: Sendable {
        /// A key pair of P-384.
        let ephemeral: PrivateKey
        /// 32 bytes
        let salt: [UInt8]
        /// 32 bytes; of no use in a suite without a second encapsulation.
        let message: [UInt8]
    }

    /// What tells the device the secret, and the secret: 32 bytes.
    struct SharedSecret: Sendable {
        let suite: Suite
        let salt: [UInt8]
        /// In the order of the suite.
        let encapsulatedKeys: [[UInt8]]
        let bytes: [UInt8]

        static func answer(_ request: SharedSecretRequest, drawing draw: SharedSecretDraw) throws
            -> SharedSecret
        {
            let first = try HPKE(.p384).send(
                to: request.point, ephemeral: draw.ephemeral, info: label, exporting: label, count: 48)
            let second = try request.encapsulationKey?.encapsulate(message: draw.message)
            return SharedSecret(
                suite: request.suite, salt: draw.salt,
                encapsulatedKeys: [first.encapsulated] + [second?.ciphertext].compactMap { $0 },
                bytes: try combine(
                    [first.secret] + [second?.secret].compactMap { $0 }, salt: draw.salt, request.suite))
        }

        /// One step of a derivation of SP 800-56C.
        static func combine(_ secrets: [[UInt8]], salt: [UInt8], _ suite: Suite) throws -> [UInt8] {
            let parts = secrets.flatMap { sized($0) }
            let info = sized(Array("shared-secret/\(suite.rawValue)".utf8), Array(version.utf8))
            return try mac(bigEndian(UInt32(1)) + parts + info, salt, for: .sharedSecret)
        }

        var json: JSONValue {
            [
                "salt": .string(Base64.encode(salt)),
                "encapsulatedKeys": .array(encapsulatedKeys.map { .string(Base64.encode($0)) }),
            ]
        }

        private static let label = Array("DHKEM-P384".utf8)
    }

    /// A public key of a device, 49 or 97 bytes.
    ///
    /// - Throws: ``ProtocolFault`` that names the member.
    static func publicPoint(_ bytes: [UInt8], of part: String) throws -> CurvePoint {
        do {
            return try CurvePoint(.p384, x962: bytes)
        } catch _ as CryptoError {
            throw ProtocolFault.malformed(
                part: part, expected: "a point of P-384, compressed or not",
                got: [49, 97].contains(bytes.count) ? "another" : "\(bytes.count) bytes")
        }
    }
}
