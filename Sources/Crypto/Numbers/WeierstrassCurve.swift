import COpenSSL

/// A curve y² = x³ + ax + b over a prime field that is given by its parameters instead of a name, and all of whose points are
/// multiples of its generator.
///
/// `@unchecked Sendable`: the group is never changed after it was made.
package final class WeierstrassCurve: @unchecked Sendable {
    let group: OpaquePointer
    package let field: PrimeField
    /// The numbers by which points are multiplied: those below the count of points.
    package let scalars: PrimeField

    /// - Throws: when the curve is singular, the generator is not on it, or has another order.
    package init(
        field: PrimeField, a: FieldElement, b: FieldElement, generator: (x: FieldElement, y: FieldElement),
        scalars: PrimeField
    ) throws {
        let made = EC_GROUP_new_curve_GFp(field.modulus, a.number, b.number, nil)
        group = try require(made, "EC_GROUP_new_curve_GFp")
        (self.field, self.scalars) = (field, scalars)
        let base = WeierstrassPoint(at: self)
        let isOnCurve = EC_POINT_set_affine_coordinates(
            group, base.point, generator.x.number, generator.y.number, nil)
        try require(isOnCurve, "EC_POINT_set_affine_coordinates")
        // That every point is a multiple: a cofactor of one.
        try require(
            EC_GROUP_set_generator(group, base.point, scalars.modulus, BN_value_one()),
            "EC_GROUP_set_generator")
        try require(EC_GROUP_check(group, nil), "EC_GROUP_check")
    }

    deinit { EC_GROUP_free(group) }

    /// The multiple of the generator.
    package func multiple(_ scalar: FieldElement) -> WeierstrassPoint {
        WeierstrassPoint(at: self) { succeed(EC_POINT_mul(group, $0, scalar.number, nil, nil, nil)) }
    }

    /// `nil` when the point is not on the curve.
    package func point(x: FieldElement, y: FieldElement) -> WeierstrassPoint? {
        let point = WeierstrassPoint(at: self)
        guard EC_POINT_set_affine_coordinates(group, point.point, x.number, y.number, nil) == 1 else {
            ERR_clear_error()
            return nil
        }
        return point
    }
}
