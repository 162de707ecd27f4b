import Crypto

/// A number of the field of degree 12 in which pairings take their values: a polynomial in w below degree 12, where
/// w¹² = 2w⁶ - 2. The complex numbers are in it, i = w⁶ - 1.
struct Fp12 {
    static let degree = 12

    /// Of the powers of w, the lowest first.
    let coefficients: [FieldElement]

    static let one = Fp12([0: BN254CX.field.one])

    /// - Parameter coefficients: all twelve.
    init(_ coefficients: [FieldElement]) { self.coefficients = coefficients }

    /// - Parameter coefficients: by the power of w; the others are zero.
    init(_ coefficients: [Int: FieldElement]) {
        let zero = BN254CX.field.zero
        self.coefficients = (0..<Self.degree).map { coefficients[$0, default: zero] }
    }

    /// Whether all powers of w that occur are even. Numbers of that kind are a field of degree 6.
    var isEven: Bool {
        stride(from: 1, to: Self.degree, by: 2).allSatisfy { coefficients[$0].isZero }
    }

    static func * (one: Fp12, other: Fp12) -> Fp12 {
        var product = BN254CX.field.product(one.coefficients, other.coefficients)
        for power in stride(from: product.count - 1, through: degree, by: -1) {
            let twice = product[power] + product[power]
            product[power - 6] = product[power - 6] + twice
            product[power - 12] = product[power - 12] - twice
        }
        return Fp12(Array(product.prefix(degree)))
    }

    /// The power of p², which multiplies w by the sixth root of unity 2^((p-1)/6).
    var frobenius: Fp12 {
        var (root, coefficients) = (BN254CX.field.one, self.coefficients)
        for power in coefficients.indices {
            coefficients[power] = coefficients[power] * root
            root = root * Self.sixthRoot
        }
        return Fp12(coefficients)
    }

    private static let sixthRoot = BN254CX.field.element(2).raised(
        to: BN254CX.constant("0600000001680702481fa53b69bb3bcddb5ff927aeac35259fbbb0a7e4af38f3"))

    /// - Parameter exponent: most significant byte first.
    func raised(to exponent: [UInt8]) -> Fp12 {
        var powers = [Fp12.one]
        for _ in 1..<16 { powers.append(powers[powers.count - 1] * self) }
        var result = Fp12.one
        for digit in exponent.flatMap({ [$0 >> 4, $0 & 15] }) {
            for _ in 0..<4 { result = result * result }
            if digit != 0 { result = result * powers[Int(digit)] }
        }
        return result
    }
}
