import COpenSSL

/// A point that is on its curve, for agreement alone: no key of OpenSSL's is made of it.
package struct CurvePoint: Sendable, Equatable {
    package let curve: Curve
    /// The uncompressed form. Source: SEC 1 §2.3.3.
    package let x962: [UInt8]

    /// Reads a point in its compressed or uncompressed form (for P-256 33 or 65 bytes). Source: SEC 1 §2.3.4.
    ///
    /// - Throws: when the bytes have another form (also the hybrid one and the point at infinity), or the point is not on the
    ///   curve.
    package init(_ curve: Curve = .p256, x962 bytes: [UInt8]) throws {
        try checkForm(ofPoint: bytes, curve)
        let field = try CurveGroup.of(curve)
        x962 = try field.withPoint { point in
            try require(EC_POINT_oct2point(field.group, point, bytes, bytes.count, nil), "point")
            return try bytes.first == 4 ? bytes : field.encoded(point, curve)
        }
        self.curve = curve
    }

    /// - Throws: when the key is not on a curve with points of two coordinates.
    package init(_ key: PublicKey) throws {
        guard case .ec(let curve) = key.kind else {
            throw CryptoError(call: "point", message: "not an EC key")
        }
        self.curve = curve
        x962 = try key.x962()
    }
}

/// Source: SEC 1 §2.3.4. The hybrid form and the point at infinity are forms of none.
func checkForm(ofPoint bytes: [UInt8], _ curve: Curve) throws {
    let size = curve.coordinateCount
    let isCompressed = bytes.count == 1 + size && (bytes[0] == 2 || bytes[0] == 3)
    guard isCompressed || (bytes.count == 1 + 2 * size && bytes[0] == 4) else {
        throw CryptoError(
            call: "point",
            message: "\(bytes.count) bytes that begin with \(bytes.first.map(String.init) ?? "nothing"); "
                + "\(curve.rawValue) has \(1 + size) after 2 or 3, or \(1 + 2 * size) after 4")
    }
}
