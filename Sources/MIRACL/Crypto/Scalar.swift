import Crypto

/// A number by which points are multiplied: a master share, a client's secret, a challenge.
struct Scalar: Sendable, Equatable {
    static let byteCount = 32

    let value: FieldElement

    init(_ value: FieldElement) { self.value = value }

    /// Reads 32 bytes, most significant first, that hold a number from 1 to below the order.
    init(bytes: [UInt8]) throws(MPinError) {
        guard bytes.count == Self.byteCount else { throw .scalarLength(bytes.count) }
        guard let value = BN254CX.scalars.element(bytes) else { throw .scalarTooLarge }
        guard !value.isZero else { throw .scalarZero }
        self.value = value
    }

    init(hex: String) throws(MPinError) {
        try self.init(bytes: Hex.bytes(ofText: hex))
    }

    /// A small number, such as a PIN; zero is one, too.
    init(_ number: Int) { value = BN254CX.scalars.element(number) }

    /// The number below the order that a hash stands for.
    init(reducing hash: [UInt8]) { value = BN254CX.scalars.element(reducing: hash) }

    var isZero: Bool { value.isZero }

    var bytes: [UInt8] { value.bytes }

    static func + (one: Scalar, other: Scalar) -> Scalar { Scalar(one.value + other.value) }

    static func * (one: Scalar, other: Scalar) -> Scalar { Scalar(one.value * other.value) }

    static prefix func - (one: Scalar) -> Scalar { Scalar(-one.value) }
}

extension Scalar {
    /// A number from 1 to below the order, all equally likely: what is outside is drawn again.
    ///
    /// - Parameter draw: answers as many bytes by chance as it is asked for.
    static func drawn(from draw: (Int) -> [UInt8]) throws(MPinError) -> Scalar {
        for _ in 0..<64 {
            var bytes = draw(byteCount)
            // The order has 254 bits, so more than half of what is drawn is good.
            bytes[0] &= 0x3f
            if let value = BN254CX.scalars.element(bytes), !value.isZero { return Scalar(value) }
        }
        throw .noNumberDrawn
    }
}

extension Hex {
    /// The bytes that came as text from outside, in either case.
    static func bytes(ofText text: String) throws(MPinError) -> [UInt8] {
        guard let bytes = decode(text) else { throw .notHexadecimal(text.count) }
        return bytes
    }
}
