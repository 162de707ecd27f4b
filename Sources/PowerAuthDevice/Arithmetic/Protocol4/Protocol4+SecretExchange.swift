import Crypto
import DeviceKit
import Essentials
import PostQuantum

extension Protocol4 {
    /// Key pairs for one exchange with the server, which encapsulates a secret to them.
    struct SecretExchange: Sendable {
        let algorithm: Algorithm
        private let point: PrivateKey
        private let lattice: MLKEM.DecapsulationKey?

        /// - Throws: ``DeviceError`` when the second key pair is not that of the algorithm.
        init(_ algorithm: Algorithm, point: PrivateKey, lattice: MLKEM.DecapsulationKey?) throws {
            guard lattice?.set == algorithm.exchange else {
                throw DeviceError("\(algorithm.rawValue) does not go with the second key pair")
            }
            (self.algorithm, self.point, self.lattice) = (algorithm, point, lattice)
        }

        /// Draws the key pairs.
        init(_ algorithm: Algorithm, drawing draw: (Int) -> [UInt8]) throws {
            try self.init(
                algorithm, point: CurveKey.generate(draw, on: .p384),
                lattice: algorithm.exchange.map { try MLKEM.DecapsulationKey($0, seed: draw(64)) })
        }

        /// `sharedSecretRequest`
        func request() throws -> JSONValue {
            var keys = [try point.publicKey.x962()]
            if let lattice { keys.append(lattice.encapsulationKey.subjectPublicKeyInfo) }
            return [
                "algorithm": .string(algorithm.rawValue),
                "encapsulationKeys": .array(keys.map { .string(Base64.encode($0)) }),
            ]
        }

        /// The secret that `sharedSecretResponse` tells: 32 bytes.
        ///
        /// - Throws: ``DeviceError`` when it has not the members of the algorithm.
        func secret(_ response: JSONValue?) throws -> [UInt8] {
            let salt = try Wire.bytes(response?["salt"]?.string, "salt", count: 32)
            let keys = try (response?["encapsulatedKeys"]?.strings ?? []).map {
                try Wire.bytes($0, "encapsulatedKeys")
            }
            guard keys.count == (lattice == nil ? 1 : 2) else {
                throw DeviceError("\(keys.count) encapsulatedKeys for \(algorithm.rawValue)")
            }
            let label = Array("DHKEM-P384".utf8)
            var secrets = [
                try HPKE(.p384).receive(
                    CurvePoint(.p384, x962: keys[0]), by: point, info: label, exporting: label, count: 48)
            ]
            if let lattice { secrets.append(try lattice.decapsulate(keys[1])) }
            let info = [Array("shared-secret/\(algorithm.rawValue)".utf8), Array(version.utf8)]
            return try code(salt, [0, 0, 0, 1] + KeyArithmetic.sized(secrets + info), "KDF")
        }
    }
}
