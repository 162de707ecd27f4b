import Crypto
import DeviceKit

/// The curve on which a client of M-Pin computes, y² = x³ + 2, and how its points and numbers stand in messages.
///
/// Source: Apache Milagro Crypto Library, BN254CX.
enum MPinCurve {
    static let name = "BN254CX"

    static let field = PrimeField(
        modulus: digits("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3"))
    /// Numbers by which points are multiplied.
    static let scalars = PrimeField(
        modulus: digits("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d"))
    /// A quarter of the successor of the prime: the exponent that makes a square root.
    private static let rootExponent = digits(
        "09000000021c0a836c2f77d91e98d9b4c90ff5bb86024fb86f9988fbd706d56d")

    private static let curve: WeierstrassCurve = {
        do {
            return try WeierstrassCurve(
                field: field, a: field.zero, b: field.element(2),
                generator: (x: field.element(-1), y: field.one), scalars: scalars)
        } catch {
            preconditionFailure("OpenSSL does not compute on \(name): \(error)")
        }
    }()

    static func digits(_ text: String) -> [UInt8] {
        guard let bytes = Hex.decode(text) else { preconditionFailure("\(text) is not hexadecimal") }
        return bytes
    }

    /// The point of 04 and both coordinates, 130 digits.
    ///
    /// - Throws: ``DeviceError`` when a share that the server gave is no point of the curve.
    static func point(hex text: String) throws -> WeierstrassPoint {
        guard let bytes = Hex.decode(text), bytes.count == 65, bytes[0] == 4,
            let x = field.element(Array(bytes[1..<33])), let y = field.element(Array(bytes[33...])),
            let point = curve.point(x: x, y: y)
        else { throw DeviceError("“\(text)” is not a point of \(name)") }
        return point
    }

    /// A number of 64 digits between zero and the order.
    static func scalar(hex text: String) throws -> FieldElement {
        guard let bytes = Hex.decode(text), bytes.count == 32, let number = scalars.element(bytes),
            !number.isZero
        else { throw DeviceError("“\(text)” is not a number below the order of \(name)") }
        return number
    }

    /// A number other than zero that nobody can guess.
    static func drawnScalar(_ draw: (Int) -> [UInt8]) throws -> FieldElement {
        // Twice as many bytes as the order has: no remainder is more likely than another.
        let number = scalars.element(reducing: draw(64))
        guard !number.isZero else { throw DeviceError("the number that was drawn is zero") }
        return number
    }

    /// The first point whose x is the hash or one after it; of its two y the even one. Source: `mapit` of the same library.
    static func point(of hash: [UInt8]) throws -> WeierstrassPoint {
        var x = field.element(reducing: hash)
        // Every second x has a point.
        for _ in 0..<256 {
            let root = (x * x * x + field.element(2)).raised(to: rootExponent)
            if let point = curve.point(x: x, y: root.isOdd ? -root : root) { return point }
            x = x + field.one
        }
        throw DeviceError("256 numbers in a row have no point")
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
