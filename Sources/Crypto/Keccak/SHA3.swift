import COpenSSL

/// The hash functions of FIPS 202, by the number of their bits: `SHA3.bits256(bytes)`.
package enum SHA3: Sendable {
    case bits256
    case bits512

    /// The size of a hash in bytes.
    package var count: Int { self == .bits256 ? 32 : 64 }

    package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        let algorithms = KeccakAlgorithms.shared
        let digest = self == .bits256 ? algorithms.sha3of256 : algorithms.sha3of512
        return [UInt8](unsafeUninitializedCapacity: count) { hash, written in
            let isHashed = EVP_Digest(bytes, bytes.count, hash.baseAddress, nil, digest, nil)
            precondition(isHashed == 1, "no memory to hash")
            written = count
        }
    }
}
