/// A point (x/z², y/z³) of a curve y² = x³ + b; at infinity when z is zero. For curves on which OpenSSL does not compute, and for
/// the lines of the pairing.
struct JacobianPoint<Coordinate: FieldValue> {
    private(set) var x: Coordinate
    private(set) var y: Coordinate
    private(set) var z: Coordinate

    /// A point with the usual coordinates.
    init(x: Coordinate, y: Coordinate) {
        (self.x, self.y, z) = (x, y, x.one)
    }

    var isInfinity: Bool { z.isZero }

    /// Source: Explicit-Formulas Database, Jacobian coordinates with a = 0, dbl-2009-l.
    mutating func double() {
        let (a, b) = (x * x, y * y)
        let c = b * b
        let half = (x + b) * (x + b) - a - c
        let d = half + half
        let e = a + a + a
        let newX = e * e - d - d
        let twice = c + c
        let fourfold = twice + twice
        (x, y, z) = (newX, e * (d - newX) - fourfold - fourfold, (y + y) * z)
    }

    /// Adds a point with the usual coordinates. Source: Cohen, Miyaji and Ono 1998, with z₂ = 1.
    mutating func add(_ other: (x: Coordinate, y: Coordinate)) {
        guard !isInfinity else {
            self = JacobianPoint(x: other.x, y: other.y)
            return
        }
        let square = z * z
        let (h, r) = (other.x * square - x, other.y * square * z - y)
        if h.isZero && r.isZero { return double() }
        let hh = h * h
        let (hhh, v) = (hh * h, x * hh)
        let newX = r * r - hhh - v - v
        (x, y, z) = (newX, r * (v - newX) - y * hhh, z * h)
    }

    /// So many times a point; takes a time that tells the number.
    static func multiple(_ scalar: [UInt8], of point: (x: Coordinate, y: Coordinate)) -> JacobianPoint {
        var sum = JacobianPoint(x: point.x, y: point.y)
        sum.z = point.x - point.x
        for isSet in bits(of: scalar) {
            sum.double()
            if isSet { sum.add(point) }
        }
        return sum
    }
}

/// The bits of a number whose most significant byte is the first, from the highest one that is set.
func bits(of number: [UInt8]) -> [Bool] {
    let all = number.flatMap { byte -> [Bool] in
        stride(from: 7, through: 0, by: -1).map { byte >> $0 & 1 == 1 }
    }
    return Array(all.drop { isSet in !isSet })
}
