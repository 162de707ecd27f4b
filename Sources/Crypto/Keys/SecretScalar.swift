import COpenSSL

/// The secret number of a key pair on a curve, for agreement alone: to make a key of OpenSSL's of it, as ``PrivateKey`` does, costs
/// half as much as the agreement.
package struct SecretScalar: Sendable {
    package let curve: Curve
    /// Most significant byte first, with or without leading zeros.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8], on curve: Curve = .p256) {
        (self.curve, self.bytes) = (curve, bytes)
    }

    /// - Throws: when the key is not on a curve with points of two coordinates.
    package init(_ key: PrivateKey) throws {
        guard case .ec(let curve) = key.kind else {
            throw CryptoError(call: "scalar", message: "not an EC key")
        }
        try self.init(key.ecSecret(), on: curve)
    }

    /// The same as ``PrivateKey/sharedSecret(with:)``. Source: SEC 1 §3.3.1.
    ///
    /// - Throws: when the number is not between 1 and the order of the curve, or the point is of another curve.
    package func sharedSecret(with peer: CurvePoint) throws -> [UInt8] {
        guard peer.curve == curve else {
            throw CryptoError(
                call: "sharedSecret", message: "a number of \(curve) and a point of \(peer.curve)")
        }
        let field = try CurveGroup.of(curve)
        return try field.withScalar(bytes) { scalar in
            try field.withPoint { point in
                let isRead = EC_POINT_oct2point(field.group, point, peer.x962, peer.x962.count, nil)
                try require(isRead, "EC_POINT_oct2point")
                return try field.withPoint { shared in
                    // On these curves the product of a point and a number below the order is never at infinity.
                    try require(EC_POINT_mul(field.group, shared, nil, point, scalar, nil), "EC_POINT_mul")
                    return Array(try field.encoded(shared, curve)[1...curve.coordinateCount])
                }
            }
        }
    }
}
