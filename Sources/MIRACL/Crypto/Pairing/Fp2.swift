import Crypto

/// A complex number over the field of BN254CX: the square of its imaginary unit is -1.
struct Fp2: FieldValue, Sendable {
    let real: FieldElement
    let imaginary: FieldElement

    init(_ real: FieldElement, _ imaginary: FieldElement) {
        (self.real, self.imaginary) = (real, imaginary)
    }

    var isZero: Bool { real.isZero && imaginary.isZero }

    var one: Fp2 { Fp2(real.field.one, real.field.zero) }

    /// `nil` for zero.
    var inverse: Fp2? {
        (real * real + imaginary * imaginary).inverse.map { Fp2(real * $0, -(imaginary * $0)) }
    }

    /// The real part, then the imaginary one.
    var bytes: [UInt8] { real.bytes + imaginary.bytes }

    static func + (one: Fp2, other: Fp2) -> Fp2 {
        Fp2(one.real + other.real, one.imaginary + other.imaginary)
    }

    static func - (one: Fp2, other: Fp2) -> Fp2 {
        Fp2(one.real - other.real, one.imaginary - other.imaginary)
    }

    static func * (one: Fp2, other: Fp2) -> Fp2 {
        let product = one.real.field.product([one.real, one.imaginary], [other.real, other.imaginary])
        return Fp2(product[0] - product[2], product[1])
    }
}
