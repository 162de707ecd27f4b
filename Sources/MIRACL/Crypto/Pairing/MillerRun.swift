import Crypto

/// One point of the curve on its way through its multiples, and the values of the lines it runs along at a point of the twist.
///
/// The point (x', y') of the twist is (x'w², y'w³) on the curve over the field of degree 12. Factors that lie in the field of
/// degree 6 are left out of the values, because the last step of the pairing removes them.
struct MillerRun {
    private let point: (x: FieldElement, y: FieldElement)
    private var multiple: JacobianPoint<FieldElement>
    /// The coefficients of w² and w⁸ in x'w², and of w³ and w⁹ in y'w³.
    private let x: (FieldElement, FieldElement)
    private let y: (FieldElement, FieldElement)

    init(_ point: (x: FieldElement, y: FieldElement), _ key: G2Point) {
        self.point = point
        multiple = JacobianPoint(x: point.x, y: point.y)
        // i = w⁶ - 1
        x = (key.x.real - key.x.imaginary, key.x.imaginary)
        y = (key.y.real - key.y.imaginary, key.y.imaginary)
    }

    /// Doubles the multiple; the value of the tangent.
    mutating func double() -> Fp12 {
        let (squareX, squareZ) = (multiple.x * multiple.x, multiple.z * multiple.z)
        let (slope, twiceY) = (squareX + squareX + squareX, multiple.y + multiple.y)
        defer { multiple.double() }
        return line(
            slope * multiple.x - twiceY * multiple.y, x: slope * squareZ, y: twiceY * multiple.z * squareZ)
    }

    /// Adds the point to the multiple; the value of the line through both.
    mutating func add() -> Fp12 {
        let square = multiple.z * multiple.z
        let run = (point.x * square - multiple.x) * multiple.z
        let rise = point.y * square * multiple.z - multiple.y
        defer { multiple.add(point) }
        return line(rise * point.x - run * point.y, x: rise, y: run)
    }

    /// The value of `constant` - `slope`·x + `run`·y.
    private func line(_ constant: FieldElement, x slope: FieldElement, y run: FieldElement) -> Fp12 {
        Fp12([0: constant, 2: -(slope * x.0), 8: -(slope * x.1), 3: run * y.0, 9: run * y.1])
    }
}
