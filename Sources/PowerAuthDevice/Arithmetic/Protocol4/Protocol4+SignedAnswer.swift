import Crypto
import DeviceKit
import Essentials
import PostQuantum

extension Protocol4 {
    /// A JWS in general serialization, which every key of an algorithm has to have signed.
    enum SignedAnswer {
        /// The claims.
        ///
        /// - Parameter keys: the second is of ML-DSA, in the algorithms that have it.
        /// - Throws: ``DeviceError`` when a signature is missing or wrong.
        static func claims(
            _ json: JSONValue, by keys: (point: PublicKey, second: MLDSA.VerificationKey?)
        ) throws -> JSONValue {
            guard let payload = json["payload"]?.string, let bytes = Base64URL.decode(payload),
                let signatures = json["signatures"]?.array
            else { throw DeviceError("the answer is no JWS in general serialization") }
            try require("ES384", signatures, payload) { keys.point.isValid($1, for: $0, with: .es384) }
            if let second = keys.second {
                try require(second.set.rawValue, signatures, payload) { second.isValid($1, for: $0) }
            }
            return try JSONValue(parsing: bytes)
        }

        private static func require(
            _ algorithm: String, _ signatures: [JSONValue], _ payload: String,
            _ isValid: ([UInt8], [UInt8]) -> Bool
        ) throws {
            for entry in signatures {
                guard let head = entry["protected"]?.string, let bytes = Base64URL.decode(head),
                    try JSONValue(parsing: bytes)["alg"]?.string == algorithm
                else { continue }
                guard let signature = entry["signature"]?.string.flatMap({ Base64URL.decode($0) }),
                    isValid(Array("\(head).\(payload)".utf8), signature)
                else { throw DeviceError("the signature \(algorithm) of the answer is wrong") }
                return
            }
            throw DeviceError("the answer has no signature \(algorithm)")
        }
    }
}
