// As much of Apple's CryptoKit as the stubs use, by OpenSSL, so that they can be compiled and run on Linux. For these tests alone.

import COpenSSL
import Foundation

public struct CryptoFailure: Error {}

public struct SymmetricKey: Sendable {
    let bytes: [UInt8]
    public init(data: some Sequence<UInt8>) { bytes = Array(data) }
}

public enum SHA256: Sendable {
    public static func hash(data: some DataProtocol) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(Array(data), data.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

public enum HMAC<H>: Sendable {
    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        COpenSSL.HMAC(EVP_sha256(), key.bytes, Int32(key.bytes.count), Array(data), data.count, &code, &count)
        return code
    }
}

public enum P256 {
    public enum Signing {
        public struct ECDSASignature: Sendable {
            public let derRepresentation: Data

            /// r and s, 32 bytes each.
            public var rawRepresentation: Data {
                func number(at start: Int) -> (bytes: Data, next: Int) {
                    let count = Int(derRepresentation[start + 1])
                    let bytes = derRepresentation[(start + 2)..<(start + 2 + count)].suffix(32)
                    return (Data(repeating: 0, count: 32 - bytes.count) + bytes, start + 2 + count)
                }
                let r = number(at: 2)
                return r.bytes + number(at: r.next).bytes
            }
        }

        public struct PublicKey: Sendable {
            /// SubjectPublicKeyInfo.
            public let derRepresentation: Data
            /// The point without its first byte.
            public var rawRepresentation: Data { derRepresentation.suffix(64) }
        }

        public struct PrivateKey: @unchecked Sendable {
            // OpenSSL counts the references; nothing changes a key that is made.
            private final class Handle {
                let key: OpaquePointer; init(_ key: OpaquePointer) { self.key = key };
                deinit { EVP_PKEY_free(key) }
            }
            private let handle: Handle

            public init() {
                let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
                defer { EVP_PKEY_CTX_free(context) }
                var key: OpaquePointer?
                guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
                    EVP_PKEY_generate(context, &key) == 1, let key
                else { preconditionFailure("no key") }
                handle = Handle(key)
            }

            /// The test's own form: PKCS #8. Apple's is the number alone; what matters is that it comes back.
            public init(rawRepresentation: Data) throws {
                var key: OpaquePointer?
                rawRepresentation.withUnsafeBytes { bytes in
                    var at = bytes.bindMemory(to: UInt8.self).baseAddress
                    key = d2i_AutoPrivateKey(nil, &at, bytes.count)
                }
                guard let key else { throw CryptoFailure() }
                handle = Handle(key)
            }

            public var rawRepresentation: Data { written { i2d_PrivateKey(handle.key, $0) } }
            public var publicKey: PublicKey {
                PublicKey(derRepresentation: written { i2d_PUBKEY(handle.key, $0) })
            }

            private func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32)
                -> Data
            {
                var bytes = [UInt8](repeating: 0, count: Int(write(nil)))
                bytes.withUnsafeMutableBufferPointer { buffer in
                    var at = buffer.baseAddress
                    _ = write(&at)
                }
                return Data(bytes)
            }

            public func signature(for data: some DataProtocol) throws -> ECDSASignature {
                let context = EVP_MD_CTX_new()
                defer { EVP_MD_CTX_free(context) }
                var (signature, count) = ([UInt8](repeating: 0, count: 80), 80)
                guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle.key) == 1,
                    EVP_DigestSign(context, &signature, &count, Array(data), data.count) == 1
                else { throw CryptoFailure() }
                return ECDSASignature(derRepresentation: Data(signature.prefix(count)))
            }
        }
    }
}
