import COpenSSL

/// A public key that verifies signatures of others. It knows more kinds than ``PublicKey``, with which the house signs too:
/// what authenticators and certificates of other makers bring.
package struct VerificationKey: Sendable, Equatable {
    package enum Kind: Sendable, Hashable {
        case rsa(bits: Int)
        case ec(NamedCurve)
        case ed25519
        case ed448
    }

    private let handle: Handle
    package var kind: Kind { handle.kind }

    /// Reads the DER form of a SubjectPublicKeyInfo. Source: RFC 5280 §4.1.
    package init(der: [UInt8]) throws {
        defer { ERR_clear_error() }
        let key = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let key = d2i_PUBKEY(nil, &start, bytes.count)
            guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil as OpaquePointer?
            }
            return key
        }
        handle = try Handle(owning: require(key, "d2i_PUBKEY"))
    }

    package init(_ key: PublicKey) throws { try self.init(der: key.der()) }

    /// - Throws: when a coordinate has another size than the curve's, or the point is not on the curve.
    package init(_ curve: NamedCurve, x: [UInt8], y: [UInt8]) throws {
        guard x.count == curve.coordinateCount, y.count == curve.coordinateCount else {
            throw CryptoError(
                call: "point",
                message:
                    "coordinates of \(x.count) and \(y.count) bytes; \(curve) has \(curve.coordinateCount)"
            )
        }
        handle = Handle(owning: try CurveGroup.of(curve).makeKey(point: [4] + x + y), kind: .ec(curve))
    }

    /// - Throws: when the modulus is shorter than 1,024 or longer than 16,384 bits.
    package init(modulus: [UInt8], exponent: [UInt8]) throws {
        handle = try Handle(
            owning: makeKeyOfNumbers(
                "RSA", crypto_public_key,
                [(OSSL_PKEY_PARAM_RSA_N, .number(modulus)), (OSSL_PKEY_PARAM_RSA_E, .number(exponent))]))
    }

    /// - Parameter ed25519: 32 bytes
    package init(ed25519: [UInt8]) throws { handle = try Handle("ED25519", raw: ed25519) }

    /// - Parameter ed448: 57 bytes
    package init(ed448: [UInt8]) throws { handle = try Handle("ED448", raw: ed448) }

    /// The DER form of a SubjectPublicKeyInfo.
    package func der() throws -> [UInt8] {
        try KeyHandle.writing { try require(i2d_PUBKEY_bio($0, handle.pointer), "i2d_PUBKEY") }
    }

    /// Whether `signature` is this key's for `message`. A malformed signature and a scheme for another kind of key are
    /// `false` as well.
    package func isValid(_ signature: [UInt8], for message: [UInt8], by scheme: SignatureScheme) -> Bool {
        guard scheme.accepts(kind) else { return false }
        // The reason of a failure is of no use here and must not stay in the thread's queue.
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        guard
            EVP_DigestVerifyInit(context, &keyContext, scheme.digest?.handle, nil, handle.pointer) == 1,
            scheme.setPadding(keyContext)
        else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    package static func == (one: VerificationKey, other: VerificationKey) -> Bool {
        EVP_PKEY_eq(one.handle.pointer, other.handle.pointer) == 1
    }
}

extension VerificationKey {
    /// Owns one key of OpenSSL.
    ///
    /// `@unchecked Sendable`: the key is never changed after it was made, and verifying by many threads at once is safe by
    /// OpenSSL's own reference counts and locks.
    private final class Handle: @unchecked Sendable {
        let pointer: OpaquePointer
        let kind: Kind

        /// - Throws: when the key is of another kind or size; it is freed in any case.
        init(owning pointer: OpaquePointer) throws {
            do {
                kind = try Self.kind(of: pointer)
            } catch {
                EVP_PKEY_free(pointer)
                throw error
            }
            self.pointer = pointer
        }

        init(owning pointer: OpaquePointer, kind: Kind) { (self.pointer, self.kind) = (pointer, kind) }

        convenience init(_ type: String, raw: [UInt8]) throws {
            let key = EVP_PKEY_new_raw_public_key_ex(nil, type, nil, raw, raw.count)
            try self.init(owning: require(key, "EVP_PKEY_new_raw_public_key"))
        }

        deinit { EVP_PKEY_free(pointer) }

        private static func kind(of pointer: OpaquePointer) throws -> Kind {
            defer { ERR_clear_error() }
            if EVP_PKEY_is_a(pointer, "RSA") == 1 {
                let bits = Int(EVP_PKEY_get_bits(pointer))
                guard 1024...16_384 ~= bits else {
                    throw CryptoError(
                        call: "key", message: "an RSA key of \(bits) bits; 1024 to 16384 are accepted")
                }
                return .rsa(bits: bits)
            }
            if EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
            if EVP_PKEY_is_a(pointer, "ED448") == 1 { return .ed448 }
            var name = [CChar](repeating: 0, count: 64)
            var count = 0
            guard EVP_PKEY_is_a(pointer, "EC") == 1,
                EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1,
                let curve = NamedCurve(
                    rawValue: String(
                        decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self))
            else {
                throw CryptoError(
                    call: "key",
                    message: "neither RSA, nor P-256, P-384, P-521, secp256k1, nor Ed25519, Ed448")
            }
            return .ec(curve)
        }
    }
}

extension SignatureScheme {
    fileprivate func accepts(_ kind: VerificationKey.Kind) -> Bool {
        switch (self, kind) {
        case (.ecdsa, .ec), (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.edwards, .ed25519), (.edwards, .ed448): true
        default: false
        }
    }

    fileprivate func setPadding(_ context: OpaquePointer?) -> Bool {
        guard case .rsaPSS = self else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}
