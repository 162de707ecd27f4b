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

/// A point of a curve that is given by its parameters, or the one at infinity. Two of them that meet are of the same curve.
///
/// `@unchecked Sendable`: owns a point of OpenSSL, which is never changed once its maker has handed it out.
package final class WeierstrassPoint: @unchecked Sendable {
    let point: OpaquePointer
    package let curve: WeierstrassCurve

    /// - Parameter fill: gives the point, which is at infinity, another value.
    init(at curve: WeierstrassCurve, _ fill: (OpaquePointer) -> Void = { _ in }) {
        guard let point = EC_POINT_new(curve.group) else { preconditionFailure("no memory for a point") }
        fill(point)
        (self.point, self.curve) = (point, curve)
    }

    deinit { EC_POINT_clear_free(point) }

    package var isInfinity: Bool { EC_POINT_is_at_infinity(curve.group, point) == 1 }

    /// `nil` for the point at infinity.
    package var coordinates: (x: FieldElement, y: FieldElement)? {
        guard !isInfinity else { return nil }
        let (x, y) = (FieldElement.newNumber(), FieldElement.newNumber())
        succeed(EC_POINT_get_affine_coordinates(curve.group, point, x, y, nil))
        return (FieldElement(owning: x, in: curve.field), FieldElement(owning: y, in: curve.field))
    }

    /// The uncompressed form; one zero byte for the point at infinity. Source: SEC 1 §2.3.3.
    package var x962: [UInt8] {
        guard !isInfinity else { return [0] }
        let size = 1 + 2 * curve.field.byteCount
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, written in
            written = EC_POINT_point2oct(
                curve.group, point, POINT_CONVERSION_UNCOMPRESSED, bytes.baseAddress, size, nil)
            precondition(written == size, "no memory for a point")
        }
    }

    package static func + (one: WeierstrassPoint, other: WeierstrassPoint) -> WeierstrassPoint {
        WeierstrassPoint(at: one.curve) {
            succeed(EC_POINT_add(one.curve.group, $0, one.point, other.point, nil))
        }
    }

    package static prefix func - (one: WeierstrassPoint) -> WeierstrassPoint {
        WeierstrassPoint(at: one.curve) {
            succeed(EC_POINT_copy($0, one.point))
            succeed(EC_POINT_invert(one.curve.group, $0, nil))
        }
    }

    /// Takes the same time for every number: OpenSSL multiplies one point by one number with a ladder.
    package static func * (scalar: FieldElement, one: WeierstrassPoint) -> WeierstrassPoint {
        WeierstrassPoint(at: one.curve) {
            succeed(EC_POINT_mul(one.curve.group, $0, nil, one.point, scalar.number, nil))
        }
    }
}

extension WeierstrassPoint: Equatable {
    /// Without the inversion that affine coordinates would cost.
    package static func == (one: WeierstrassPoint, other: WeierstrassPoint) -> Bool {
        let order = EC_POINT_cmp(one.curve.group, one.point, other.point, nil)
        precondition(order >= 0, "no memory to compare points")
        return order == 0
    }
}
