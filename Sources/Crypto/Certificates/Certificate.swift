import COpenSSL
package import Essentials

/// An X.509 certificate. Extensions are interpreted only when asked for. Source: RFC 5280 §4.1.
package struct Certificate: Sendable, Equatable {
    /// An extension as it stands in the certificate.
    package struct Extension: Sendable, Equatable {
        package let isCritical: Bool
        /// What the OCTET STRING holds: the DER of the extension's own type.
        package let value: [UInt8]

        package init(isCritical: Bool, value: [UInt8]) {
            (self.isCritical, self.value) = (isCritical, value)
        }
    }

    let handle: CertificateHandle
    package let der: [UInt8]

    /// - Throws: when the bytes are not exactly one certificate.
    package init(der: [UInt8]) throws {
        defer { ERR_clear_error() }
        handle = try der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            let handle = CertificateHandle(
                owning: try require(d2i_X509(nil, &start, bytes.count), "d2i_X509"))
            guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
                throw CryptoError(call: "d2i_X509", message: "bytes follow the certificate")
            }
            return handle
        }
        self.der = der
    }

    /// Reads the first `-----BEGIN CERTIFICATE-----`.
    package init(pem: String) throws {
        defer { ERR_clear_error() }
        let text = Array(pem.utf8)
        let bio = try require(crypto_bio_of(text, Int32(clamping: text.count)), "BIO_new")
        defer { BIO_free(bio) }
        let pointer = try require(
            PEM_read_bio_X509(bio, nil, refusePassword, nil), "PEM_read_bio_X509")
        handle = CertificateHandle(owning: pointer)
        der = try KeyHandle.writing { try require(i2d_X509_bio($0, pointer), "i2d_X509") }
    }

    /// `-----BEGIN CERTIFICATE-----`, with a final newline.
    package func pem() throws -> String {
        let bytes = try KeyHandle.writing {
            try require(PEM_write_bio_X509($0, handle.pointer), "PEM_write_bio_X509")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A PKCS#12 store with this certificate alone, as Java takes one for its trusted certificates. Source: RFC 7292 §4.
    ///
    /// - Parameters:
    ///   - name: the alias.
    ///   - password: protects nothing here, but Java wants one.
    package func trustStore(name: String, password: String) throws -> [UInt8] {
        defer { ERR_clear_error() }
        let store = try require(crypto_trust_store(handle.pointer, name, password), "PKCS12")
        defer { PKCS12_free(store) }
        return try KeyHandle.writing { try require(i2d_PKCS12_bio($0, store), "i2d_PKCS12") }
    }

    /// 1, 2 or 3
    package var version: Int { X509_get_version(handle.pointer) + 1 }

    package var subject: [NameAttribute] {
        get throws { try nameAttributes(X509_get_subject_name(handle.pointer)) }
    }

    package var issuer: [NameAttribute] {
        get throws { try nameAttributes(X509_get_issuer_name(handle.pointer)) }
    }

    /// The DER of the name, for certificates that this one's key issues.
    var subjectDER: [UInt8] {
        get throws {
            var start: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509_NAME(X509_get_subject_name(handle.pointer), &start)
            guard count > 0 else { throw CryptoError.last("i2d_X509_NAME") }
            defer { CRYPTO_free(start, #fileID, Int32(#line)) }
            return [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
        }
    }

    /// - Throws: when the key is of a kind that ``VerificationKey`` does not know.
    package var publicKey: VerificationKey {
        get throws {
            defer { ERR_clear_error() }
            let key = try require(X509_get0_pubkey(handle.pointer), "X509_get_pubkey")
            return try VerificationKey(
                der: KeyHandle.writing { try require(i2d_PUBKEY_bio($0, key), "i2d_PUBKEY") })
        }
    }

    package var notBefore: Date { get throws { try date(X509_get0_notBefore(handle.pointer)) } }
    package var notAfter: Date { get throws { try date(X509_get0_notAfter(handle.pointer)) } }

    /// The extension of that object identifier, nil when there is none.
    ///
    /// - Throws: when it occurs twice, which RFC 5280 §4.2 forbids.
    package func extensionValue(_ type: String) throws -> Extension? {
        defer { ERR_clear_error() }
        let object = try require(OBJ_txt2obj(type, 1), "OBJ_txt2obj")
        defer { ASN1_OBJECT_free(object) }
        let place = X509_get_ext_by_OBJ(handle.pointer, object, -1)
        guard place >= 0, let found = X509_get_ext(handle.pointer, place) else { return nil }
        guard X509_get_ext_by_OBJ(handle.pointer, object, place) < 0 else {
            throw CryptoError(call: "certificate", message: "the extension \(type) occurs twice")
        }
        guard let value = X509_EXTENSION_get_data(found) else { return nil }
        return Extension(
            isCritical: X509_EXTENSION_get_critical(found) == 1,
            value: [UInt8](
                UnsafeBufferPointer(
                    start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
        )
    }

    package static func == (one: Certificate, other: Certificate) -> Bool { one.der == other.der }
}

/// Seconds since 1970 of a time in a certificate.
private func date(_ time: UnsafePointer<ASN1_TIME>?) throws -> Date {
    let epoch = try require(ASN1_TIME_set(nil, 0), "ASN1_TIME_set")
    defer { ASN1_STRING_free(epoch) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    try require(ASN1_TIME_diff(&days, &seconds, epoch, time), "ASN1_TIME_diff")
    return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(seconds))
}

/// The attributes in their order; those that stand together in one RDN follow each other.
func nameAttributes(_ name: OpaquePointer?) throws -> [NameAttribute] {
    let count = X509_NAME_entry_count(name)
    return try (0..<max(count, 0)).map { index in
        let entry = X509_NAME_get_entry(name, index)
        var type = [CChar](repeating: 0, count: 128)
        let typeCount = OBJ_obj2txt(&type, Int32(type.count), X509_NAME_ENTRY_get_object(entry), 1)
        guard 1..<Int32(type.count) ~= typeCount else { throw CryptoError.last("OBJ_obj2txt") }
        var start: UnsafeMutablePointer<UInt8>?
        let size = ASN1_STRING_to_UTF8(&start, X509_NAME_ENTRY_get_data(entry))
        guard size >= 0 else { throw CryptoError.last("ASN1_STRING_to_UTF8") }
        defer { CRYPTO_free(start, #fileID, Int32(#line)) }
        return NameAttribute(
            String(decoding: type.prefix(Int(typeCount)).map(UInt8.init(bitPattern:)), as: UTF8.self),
            String(decoding: UnsafeBufferPointer(start: start, count: Int(size)), as: UTF8.self))
    }
}

/// Owns one certificate of OpenSSL.
///
/// `@unchecked Sendable`: it is never changed after it was read; what OpenSSL caches inside of it is behind its own lock.
final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(pointer) }
}
