import COpenSSL

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
