import Crypto

/// A point of the curve: a mapped identity, a secret, a part of a proof. Every point of the curve is in the group.
struct G1Point: Sendable, Equatable {
    static let byteCount = 65

    let value: WeierstrassPoint

    init(_ value: WeierstrassPoint) { self.value = value }

    /// Reads the byte 4, x, and y; the point at infinity cannot be written so.
    init(bytes: [UInt8]) throws(MPinError) {
        if bytes.isInfinity { throw .infinity }
        guard bytes.count == Self.byteCount else { throw .pointLength(bytes.count) }
        guard bytes[0] == 4 else { throw .pointPrefix(bytes[0]) }
        guard let x = BN254CX.field.element(Array(bytes[1..<33])),
            let y = BN254CX.field.element(Array(bytes[33...]))
        else { throw .coordinateTooLarge }
        guard let point = BN254CX.curve.point(x: x, y: y) else { throw .pointOffCurve }
        value = point
    }

    init(hex: String) throws(MPinError) {
        try self.init(bytes: Hex.bytes(ofText: hex))
    }

    /// The point that a hash is mapped to: the first x from the hash on for which there is a y, and of its two the even one.
    ///
    /// Source: Apache Milagro Crypto Library, `mapit` of M-Pin. RFC 9380 maps differently.
    init(mapping hash: [UInt8]) {
        var x = BN254CX.field.element(reducing: hash)
        while true {
            if let root = (x * x * x + BN254CX.b).squareRoot,
                let point = BN254CX.curve.point(x: x, y: root.isOdd ? -root : root)
            {
                value = point
                return
            }
            x = x + BN254CX.field.one
        }
    }

    var isInfinity: Bool { value.isInfinity }

    /// The byte 4, x, and y; one zero byte for the point at infinity.
    var bytes: [UInt8] { value.x962 }

    var hex: String { Hex.encode(bytes) }

    static func + (one: G1Point, other: G1Point) -> G1Point { G1Point(one.value + other.value) }

    static func - (one: G1Point, other: G1Point) -> G1Point { one + -other }

    static prefix func - (one: G1Point) -> G1Point { G1Point(-one.value) }

    static func * (scalar: Scalar, point: G1Point) -> G1Point { G1Point(scalar.value * point.value) }
}

extension [UInt8] {
    /// Whether libraries write the point at infinity so: one zero byte, or the byte 4 with zeros for the coordinates. Source: SEC 1
    /// §2.3.3; the latter observed, Apache Milagro Crypto Library.
    fileprivate var isInfinity: Bool {
        self == [0] || count == G1Point.byteCount && first == 4 && dropFirst().allSatisfy { $0 == 0 }
    }
}
