/// The parameter sets of ML-DSA, by their names. Source: FIPS 204 §4, table 1.
package enum MLDSA: String, Sendable, CaseIterable {
    case mldsa65 = "ML-DSA-65"
    case mldsa87 = "ML-DSA-87"

    /// `k` and `l`: rows and columns of the matrix.
    var rows: Int { self == .mldsa65 ? 6 : 8 }
    var columns: Int { self == .mldsa65 ? 5 : 7 }
    /// `η`: the largest coefficient of a secret.
    var secretBound: Int32 { self == .mldsa65 ? 4 : 2 }
    var secretWidth: Int { self == .mldsa65 ? 4 : 3 }
    /// `τ`: how many coefficients of a challenge are not zero.
    var challengeWeight: Int { self == .mldsa65 ? 49 : 60 }
    /// `λ / 4`
    var challengeCount: Int { self == .mldsa65 ? 48 : 64 }
    /// `β = τ·η`
    var challengeBound: Int32 { Int32(challengeWeight) * secretBound }
    /// `ω`: how many hints a signature has at the most.
    var hintCount: Int { self == .mldsa65 ? 55 : 75 }

    /// `γ₁`, of both sets: coefficients of a mask lie within it.
    static let maskBound: Int32 = 1 << 19
    static let maskWidth = 20
    /// `γ₂`, of both sets: half of the range that is rounded to one number.
    static let roundingBound: Int32 = (SignatureRing.modulus - 1) / 32

    package var verificationKeyCount: Int { 32 + 320 * rows }
    /// Of the expanded key; its seed has ``seedCount``.
    package var signingKeyCount: Int { 128 + 32 * secretWidth * (rows + columns) + 416 * rows }
    package var signatureCount: Int { challengeCount + 640 * columns + hintCount + rows }

    package static let seedCount = 32
    /// What a hedged signature draws.
    package static let randomnessCount = 32
    package static let longestContext = 255

    /// What is signed in the place of a message: `0`, the context with its length, and the message. Source: FIPS 204, algorithm 2.
    static func framed(_ message: [UInt8], context: [UInt8]) throws -> [UInt8] {
        guard context.count <= longestContext else {
            throw PostQuantumError(description: "a context of \(context.count) bytes instead of 255 or less")
        }
        return [0, UInt8(context.count)] + context + message
    }
}
