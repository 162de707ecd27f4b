import Crypto

/// A point of the subgroup of prime order on the twist, y² = x³ + 1 - i over the complex numbers of the field: a client's public key.
struct G2Point: Sendable, Equatable {
    static let byteCount = 128

    let x: Fp2
    let y: Fp2

    /// Source: Apache Milagro Crypto Library, the ROM of BN254CX.
    static let generator = G2Point(
        x: Fp2(
            BN254CX.element("19682d2c7053b256358b2500f5c34bbb907c85bfa03e2726c0851ceee4d2ec74"),
            BN254CX.element("1466b9ec3e19f64aa011c937a8e99743f81b97b0c209c30f47a58e8b2e29cfe1")),
        y: Fp2(
            BN254CX.element("0a79edd972332b8dd81e22157daee2096361b33d847ec1b30cfbfcebcf0be09f"),
            BN254CX.element("06160c39ecc4c09035c6e4512d8d3461c2864ea569d2edebed904b228898ee9d")))

    private init(x: Fp2, y: Fp2) { (self.x, self.y) = (x, y) }

    /// Reads the real and the imaginary part of x, then those of y; the point at infinity cannot be written so.
    init(bytes: [UInt8]) throws(MPinError) {
        guard bytes.count == Self.byteCount else { throw .publicKeyLength(bytes.count) }
        if bytes.allSatisfy({ $0 == 0 }) { throw .infinity }
        var numbers: [FieldElement] = []
        for start in stride(from: 0, to: Self.byteCount, by: 32) {
            guard let number = BN254CX.field.element(Array(bytes[start..<start + 32])) else {
                throw .coordinateTooLarge
            }
            numbers.append(number)
        }
        x = Fp2(numbers[0], numbers[1])
        y = Fp2(numbers[2], numbers[3])
        guard y * y == x * x * x + Fp2(BN254CX.field.one, BN254CX.field.element(-1)) else {
            throw .publicKeyOffCurve
        }
        // The twist has many more points than the subgroup.
        guard JacobianPoint.multiple(BN254CX.order, of: (x, y)).isInfinity else {
            throw .publicKeyOutsideGroup
        }
    }

    init(hex: String) throws(MPinError) {
        try self.init(bytes: Hex.bytes(ofText: hex))
    }

    /// Real and imaginary part of x, then of y.
    var bytes: [UInt8] { x.bytes + y.bytes }

    /// `nil` for the point at infinity, which is no public key. Takes a time that tells the number.
    static func * (scalar: Scalar, point: G2Point) -> G2Point? {
        let multiple = JacobianPoint.multiple(scalar.bytes, of: (point.x, point.y))
        guard let inverse = multiple.z.inverse else { return nil }
        let square = inverse * inverse
        return G2Point(x: multiple.x * square, y: multiple.y * square * inverse)
    }
}
