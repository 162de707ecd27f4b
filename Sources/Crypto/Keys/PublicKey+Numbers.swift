import COpenSSL

extension PublicKey {
    /// The numbers of an RSA key, most significant byte first.
    package struct RSANumbers: Sendable, Equatable {
        package let modulus: [UInt8]
        package let exponent: [UInt8]

        package init(modulus: [UInt8], exponent: [UInt8]) {
            self.modulus = modulus
            self.exponent = exponent
        }
    }

    /// The coordinates of a point, each as long as the curve has it.
    package struct Point: Sendable, Equatable {
        package let x: [UInt8]
        package let y: [UInt8]
    }

    /// - Throws: when the modulus is shorter than 1,024 or longer than 16,384 bits.
    package init(modulus: [UInt8], exponent: [UInt8]) throws {
        handle = try KeyHandle(
            type: "RSA", selection: crypto_public_key,
            [(OSSL_PKEY_PARAM_RSA_N, .number(modulus)), (OSSL_PKEY_PARAM_RSA_E, .number(exponent))])
        try checkSize(handle)
    }

    /// - Throws: when the point is not on the curve.
    package init(_ curve: Curve, x: [UInt8], y: [UInt8]) throws {
        let point = try encodedPoint(curve, x: x, y: y)
        handle = try KeyHandle(owning: CurveGroup.of(curve).makeKey(point: point))
    }

    /// - Parameter ed25519: the 32 bytes of RFC 8032 §5.1.5.
    package init(ed25519: [UInt8]) throws {
        let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, ed25519, ed25519.count)
        handle = try KeyHandle(owning: require(key, "EVP_PKEY_new_raw_public_key"))
    }

    /// - Throws: when the key is not RSA.
    package func rsaNumbers() throws -> RSANumbers {
        try RSANumbers(
            modulus: handle.number(OSSL_PKEY_PARAM_RSA_N), exponent: handle.number(OSSL_PKEY_PARAM_RSA_E))
    }

    /// - Throws: when the key is not on a curve with points of two coordinates.
    package func point() throws -> Point {
        let point = try handle.point()
        let half = point.count / 2
        return Point(x: Array(point[1...half]), y: Array(point[(half + 1)...]))
    }

    /// The 32 bytes of an Ed25519 key.
    package func ed25519Bytes() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 32) { bytes, written in
            written = 32
            try require(
                EVP_PKEY_get_raw_public_key(handle.pointer, bytes.baseAddress, &written),
                "EVP_PKEY_get_raw_public_key")
        }
    }
}

/// The uncompressed form of a point. Source: SEC 1 §2.3.3.
func encodedPoint(_ curve: Curve, x: [UInt8], y: [UInt8]) throws -> [UInt8] {
    // RFC 7518 §6.2.1.2: a coordinate has the full size of the curve.
    guard x.count == curve.coordinateCount, y.count == curve.coordinateCount else {
        throw CryptoError(
            call: "point", message: "a coordinate of \(curve.rawValue) has \(curve.coordinateCount) bytes")
    }
    return [4] + x + y
}

/// Smaller keys protect nothing, larger ones cost seconds.
func checkSize(_ handle: KeyHandle) throws {
    if case .rsa(let bits) = handle.kind, !(1024...16_384).contains(bits) {
        throw CryptoError(call: "key", message: "an RSA key of \(bits) bits; 1024 to 16384 are accepted")
    }
}
