/// Why bytes from outside are not what M-Pin computes with.
enum MPinError: Error, Equatable {
    /// What came instead of pairs of hexadecimal digits, in characters.
    case notHexadecimal(Int)
    case infinity
    case pointLength(Int)
    case pointPrefix(UInt8)
    case coordinateTooLarge
    case pointOffCurve
    case publicKeyLength(Int)
    case publicKeyOffCurve
    case publicKeyOutsideGroup
    case scalarLength(Int)
    case scalarZero
    case scalarTooLarge
    case mastersCancel
    case noNumberDrawn

    /// For the journal: what was expected, what came, where to look.
    var explanation: String {
        switch self {
        case .notHexadecimal(let count):
            "Expected pairs of hexadecimal digits; got \(count) characters that are something else. "
                + "Points, scalars and M-Pin ids travel as hexadecimal text, not as Base64."
        case .infinity:
            "This is the point at infinity, with which a proof would hold for every secret; no client computes it."
        case .pointLength(let count):
            "A point of G1 has 65 bytes (130 hexadecimal digits): 04, x, y; got \(count) bytes. Compressed points are "
                + "not accepted."
        case .pointPrefix(let prefix):
            "A point of G1 begins with the byte 4; got \(prefix). Compressed and hybrid forms are not accepted."
        case .coordinateTooLarge:
            "A coordinate is not below the prime of BN254CX. The client may use another curve."
        case .pointOffCurve:
            "The point does not lie on y² = x³ + 2. The client may use another curve than BN254CX, which is not the "
                + "BN254 of other libraries."
        case .publicKeyLength(let count):
            "A public key has 128 bytes (256 hexadecimal digits) without a prefix: real and imaginary part of x, then "
                + "of y; got \(count) bytes."
        case .publicKeyOffCurve:
            "The public key does not lie on the twist of BN254CX. The real part stands before the imaginary one, and "
                + "x before y."
        case .publicKeyOutsideGroup:
            "The public key lies on the twist but not in its subgroup of prime order; no client computes such a key."
        case .scalarLength(let count):
            "A scalar has 32 bytes (64 hexadecimal digits); got \(count) bytes."
        case .scalarZero:
            "Zero is neither a secret nor a challenge."
        case .scalarTooLarge:
            "The scalar is not below the order of BN254CX. It has to be reduced before it is sent."
        case .mastersCancel:
            "The two master shares add up to zero, which would make every secret the point at infinity."
        case .noNumberDrawn:
            "Of 64 numbers that were drawn none lies below the order of BN254CX: the source of chance is broken."
        }
    }
}
