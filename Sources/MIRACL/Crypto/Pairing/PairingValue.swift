import Crypto

/// A value of the pairing: a number of the field of degree 12 whose product with its conjugate is one. Values are written as sums here,
/// as the points are that they come from.
struct PairingValue: Countable {
    private let number: Fp12

    private init(_ number: Fp12) { self.number = number }

    /// The power p⁶ - 1, which is the conjugate divided by the number; `nil` for zero.
    init?(reducing number: Fp12) {
        let conjugate = number.conjugate
        guard let inverse = (number * conjugate).inverseOfEven else { return nil }
        self.init(conjugate * conjugate * inverse)
    }

    static func + (one: PairingValue, other: PairingValue) -> PairingValue {
        PairingValue(one.number * other.number)
    }

    static prefix func - (element: PairingValue) -> PairingValue { PairingValue(element.number.conjugate) }

    var isNeutral: Bool { number.isEven && number.coefficients == Fp12.one.coefficients }

    /// The conjugate has the same even powers of w, and the opposite odd ones.
    var coordinates: (common: [UInt8], own: [UInt8]) {
        let even = stride(from: 0, to: Fp12.degree, by: 2).flatMap { number.coefficients[$0].bytes }
        let odd = stride(from: 1, to: Fp12.degree, by: 2).flatMap { number.coefficients[$0].bytes }
        return (even, odd)
    }
}

extension Fp12 {
    /// The power p⁶, which is the opposite of w for w.
    fileprivate var conjugate: Fp12 {
        Fp12(coefficients.enumerated().map { $0.offset % 2 == 0 ? $0.element : -$0.element })
    }

    /// The inverse of a number in which all powers of w are even; `nil` for zero.
    ///
    /// Such a number is a + bv + cv² with complex a, b, c, where v = w² and v³ = 1 + i. Source: Devegili, Ó hÉigeartaigh, Scott
    /// and Dahab, Multiplication and Squaring on Pairing-Friendly Fields (2006), the inverse in a cubic extension.
    fileprivate var inverseOfEven: Fp12? {
        let (a, b, c) = (complex(0), complex(2), complex(4))
        let newA = a * a - (b * c).timesV3
        let newB = (c * c).timesV3 - a * b
        let newC = b * b - a * c
        guard let scale = (a * newA + (c * newB + b * newC).timesV3).inverse else { return nil }
        var coefficients: [Int: FieldElement] = [:]
        for (power, value) in [(0, newA * scale), (2, newB * scale), (4, newC * scale)] {
            // i = w⁶ - 1
            coefficients[power] = value.real - value.imaginary
            coefficients[power + 6] = value.imaginary
        }
        return Fp12(coefficients)
    }

    /// What stands before this power of w, with w⁶ = 1 + i.
    private func complex(_ power: Int) -> Fp2 {
        Fp2(coefficients[power] + coefficients[power + 6], coefficients[power + 6])
    }
}

extension Fp2 {
    /// Times 1 + i.
    fileprivate var timesV3: Fp2 { Fp2(real - imaginary, real + imaginary) }
}
