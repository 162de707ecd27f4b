extension PublicKey {
    /// Reads a point in its compressed or uncompressed form (for P-256 33 or 65 bytes). Source: SEC 1 §2.3.4.
    ///
    /// - Throws: when the bytes have another form (also the hybrid one and the point at infinity), or the point is not on the
    ///   curve.
    package init(_ curve: Curve = .p256, x962 point: [UInt8]) throws {
        let size = curve.coordinateCount
        let isCompressed = point.count == 1 + size && (point[0] == 2 || point[0] == 3)
        guard isCompressed || (point.count == 1 + 2 * size && point[0] == 4) else {
            throw CryptoError(
                call: "point",
                message: "\(point.count) bytes that begin with \(point.first.map(String.init) ?? "nothing"); "
                    + "\(curve.rawValue) has \(1 + size) after 2 or 3, or \(1 + 2 * size) after 4")
        }
        handle = try KeyHandle(point: point, isCompressed: isCompressed, on: CurveGroup.of(curve))
    }

    /// The point in its uncompressed or compressed form. Source: SEC 1 §2.3.3.
    ///
    /// - Throws: when the key is not on a curve with points of two coordinates.
    package func x962(compressed: Bool = false) throws -> [UInt8] {
        let point = try point()
        guard compressed else { return [4] + point.x + point.y }
        return [2 + (point.y.last ?? 0) % 2] + point.x
    }
}
