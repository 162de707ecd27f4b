import COpenSSL

/// The two forms of an ECDSA signature.
package enum ECSignature {
    /// From the DER form to r and s, one after the other, each as long as a coordinate. Source: RFC 7518 §3.4.
    package static func raw(fromDER der: [UInt8], _ curve: Curve) throws -> [UInt8] {
        let signature = try der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return try require(d2i_ECDSA_SIG(nil, &start, bytes.count), "d2i_ECDSA_SIG")
        }
        defer { ECDSA_SIG_free(signature) }
        let size = curve.coordinateCount
        return try [UInt8](unsafeUninitializedCapacity: 2 * size) { raw, written in
            guard let start = raw.baseAddress,
                BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, Int32(size)) == size,
                BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + size, Int32(size)) == size
            else { throw CryptoError.last("BN_bn2binpad") }
            written = 2 * size
        }
    }

    /// From r and s to the DER form.
    ///
    /// - Throws: when the signature has not the length that the curve asks for.
    package static func der(fromRaw raw: [UInt8], _ curve: Curve) throws -> [UInt8] {
        let size = curve.coordinateCount
        guard raw.count == 2 * size else {
            throw CryptoError(
                call: "signature", message: "\(raw.count) bytes; \(curve.rawValue) has \(2 * size)")
        }
        let signature = try require(ECDSA_SIG_new(), "ECDSA_SIG_new")
        defer { ECDSA_SIG_free(signature) }
        let (r, s) = raw.withUnsafeBufferPointer { bytes in
            (
                BN_bin2bn(bytes.baseAddress, Int32(size), nil),
                BN_bin2bn(bytes.baseAddress.map { $0 + size }, Int32(size), nil)
            )
        }
        try require(ECDSA_SIG_set0(signature, r, s), "ECDSA_SIG_set0")
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &start)
        guard count > 0 else { throw CryptoError.last("i2d_ECDSA_SIG") }
        defer { CRYPTO_free(start, #fileID, Int32(#line)) }
        return [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
