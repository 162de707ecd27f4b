/// The parameter sets of ML-KEM, by their names. Source: FIPS 203 §8, table 2.
package enum MLKEM: String, Sendable, CaseIterable {
    case mlkem768 = "ML-KEM-768"
    case mlkem1024 = "ML-KEM-1024"

    /// `k`: how many polynomials a vector has.
    var rank: Int { self == .mlkem768 ? 3 : 4 }

    /// `d_u` and `d_v`: the bits that are left of a coefficient in the two parts of a ciphertext.
    var compression: (vector: Int, last: Int) { self == .mlkem768 ? (10, 4) : (11, 5) }

    package var encapsulationKeyCount: Int { 384 * rank + 32 }
    /// Of the expanded key; its seed has ``seedCount``.
    package var decapsulationKeyCount: Int { 768 * rank + 96 }
    package var ciphertextCount: Int { 32 * (compression.vector * rank + compression.last) }

    /// `d` and `z`, 32 bytes each.
    package static let seedCount = 64
    /// What an encapsulation draws.
    package static let messageCount = 32
    package static let secretCount = 32

    /// A shared secret of 32 bytes, and what tells it to the owner of the key.
    package struct Encapsulated: Sendable, Equatable {
        package let ciphertext: [UInt8]
        package let secret: [UInt8]
    }
}
