import Crypto
import DeviceKit

/// The key pair of an identity: a number, and in public a point of the twist of the curve, y² = x³ + 1 - i over the complex numbers of
/// the field.
struct TwistKey {
    /// By which the client secret is multiplied.
    let secret: FieldElement
    /// Real and imaginary part of x, then of y: 256 digits.
    let publicText: String

    /// - Throws: ``DeviceError`` for the number zero.
    init(secret: FieldElement) throws {
        guard let inverse = secret.inverse, let point = TwistPoint.generator.times(inverse.bytes) else {
            throw DeviceError("zero makes no key pair")
        }
        self.secret = secret
        publicText = Hex.encode(
            [point.x.re, point.x.im, point.y.re, point.y.im].flatMap(\.bytes))
    }
}

/// re + im·i with i² = -1.
private struct Complex {
    let re: FieldElement
    let im: FieldElement

    init(_ re: FieldElement, _ im: FieldElement) { (self.re, self.im) = (re, im) }

    init(_ re: String, _ im: String) {
        self.init(
            MPinCurve.field.element(reducing: MPinCurve.digits(re)),
            MPinCurve.field.element(reducing: MPinCurve.digits(im)))
    }

    var inverse: Complex? {
        (re * re + im * im).inverse.map { Complex(re * $0, -im * $0) }
    }

    static func == (one: Complex, other: Complex) -> Bool { one.re == other.re && one.im == other.im }
    static func + (one: Complex, other: Complex) -> Complex { Complex(one.re + other.re, one.im + other.im) }
    static func - (one: Complex, other: Complex) -> Complex { Complex(one.re - other.re, one.im - other.im) }
    static func * (one: Complex, other: Complex) -> Complex {
        Complex(one.re * other.re - one.im * other.im, one.re * other.im + one.im * other.re)
    }
}

/// A point of the twist other than the one at infinity, which is `nil`.
private struct TwistPoint {
    let x: Complex
    let y: Complex

    /// Of the subgroup in which public keys are. Source: Apache Milagro Crypto Library, BN254CX.
    static let generator = TwistPoint(
        x: Complex(
            "19682d2c7053b256358b2500f5c34bbb907c85bfa03e2726c0851ceee4d2ec74",
            "1466b9ec3e19f64aa011c937a8e99743f81b97b0c209c30f47a58e8b2e29cfe1"),
        y: Complex(
            "0a79edd972332b8dd81e22157daee2096361b33d847ec1b30cfbfcebcf0be09f",
            "06160c39ecc4c09035c6e4512d8d3461c2864ea569d2edebed904b228898ee9d"))

    static func sum(_ one: TwistPoint?, _ other: TwistPoint?) -> TwistPoint? {
        guard let one else { return other }
        guard let other else { return one }
        guard let slope = slope(one, other) else { return nil }
        let x = slope * slope - one.x - other.x
        return TwistPoint(x: x, y: slope * (one.x - x) - one.y)
    }

    /// Of the line through both, or of the tangent; `nil` for a vertical one.
    private static func slope(_ one: TwistPoint, _ other: TwistPoint) -> Complex? {
        guard one.x == other.x, one.y == other.y else {
            return (other.x - one.x).inverse.map { (other.y - one.y) * $0 }
        }
        let square = one.x * one.x
        return (one.y + one.y).inverse.map { (square + square + square) * $0 }
    }

    /// - Parameter scalar: most significant byte first.
    func times(_ scalar: [UInt8]) -> TwistPoint? {
        var result: TwistPoint?
        for byte in scalar {
            for bit in stride(from: 7, through: 0, by: -1) {
                result = Self.sum(result, result)
                if byte >> bit & 1 == 1 { result = Self.sum(result, self) }
            }
        }
        return result
    }
}
