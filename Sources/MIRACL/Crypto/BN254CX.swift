import Crypto

/// The curve of M-Pin: y² = x³ + 2 over a prime field, with as many points as another prime. The curve that is often called
/// BN254 elsewhere is a different one.
///
/// Source: Apache Milagro Crypto Library, the ROM of BN254CX.
enum BN254CX {
    /// The name on the wire.
    static let name = "BN254CX"

    static let field = PrimeField(
        modulus: constant("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3"))

    /// The count of points.
    static let order = constant("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")

    static let scalars = PrimeField(modulus: order)

    static let b = field.element(2)

    static let curve: WeierstrassCurve = {
        do {
            return try WeierstrassCurve(
                field: field, a: field.zero, b: b, generator: (x: field.element(-1), y: field.one),
                scalars: scalars)
        } catch {
            preconditionFailure("OpenSSL does not compute on \(name): \(error)")
        }
    }()

    /// The bytes of a constant that is written in hexadecimal digits.
    static func constant(_ digits: String) -> [UInt8] {
        guard let bytes = Hex.decode(digits) else { preconditionFailure("\(digits) is not hexadecimal") }
        return bytes
    }

    /// A number of the field. The constants of this module are below the prime.
    static func element(_ digits: String) -> FieldElement {
        field.element(reducing: constant(digits))
    }
}
