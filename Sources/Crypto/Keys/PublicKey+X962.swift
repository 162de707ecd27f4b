extension PublicKey {
    /// Reads a point in its compressed or uncompressed form (for P-256 33 or 65 bytes). Source: SEC 1 §2.3.4.
    ///
    /// - Throws: when the bytes have another form (also the hybrid one and the point at infinity), or the point is not on the
    ///   curve.
    package init(_ curve: Curve = .p256, x962 point: [UInt8]) throws {
        try checkForm(ofPoint: point, curve)
        handle = try KeyHandle(owning: CurveGroup.of(curve).makeKey(point: point))
    }

    /// The point in its uncompressed or compressed form. Source: SEC 1 §2.3.3.
    ///
    /// - Throws: when the key is not on a curve with points of two coordinates.
    package func x962(compressed: Bool = false) throws -> [UInt8] {
        let point = try handle.point()
        guard compressed else { return point }
        return [2 + (point.last ?? 0) % 2] + point[1...point.count / 2]
    }
}
