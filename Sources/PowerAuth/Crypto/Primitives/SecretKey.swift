import Crypto

/// A key of AES-128 and of HMAC: 16 bytes.
package struct SecretKey: Sendable, Equatable {
    package static let count = 16

    package let bytes: [UInt8]

    /// - Throws: ``ProtocolFault`` unless there are 16 bytes.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.count == Self.count else {
            throw ProtocolFault.malformed(part: "key", expected: "16 bytes", got: "\(bytes.count) bytes")
        }
        self.bytes = bytes
    }

    /// - Parameter hash: 32 bytes.
    init(folding hash: [UInt8]) {
        bytes = folded(hash)
    }

    /// `KDF`: the key of that number below this one, which is the encrypted block `00…00 ‖ BE64(index)`.
    package func derived(_ index: UInt64) throws -> SecretKey {
        try SecretKey(AES.encryptBlock([UInt8](repeating: 0, count: 8) + bigEndian(index), key: bytes))
    }

    /// `KDF_INTERNAL`: the folded HMAC-SHA256 of `data`.
    package func derived(from data: [UInt8]) -> SecretKey {
        SecretKey(folding: Digest.sha256.authenticationCode(of: data, key: bytes))
    }

    package static func == (one: SecretKey, other: SecretKey) -> Bool {
        constantTimeEqual(one.bytes, other.bytes)
    }
}
