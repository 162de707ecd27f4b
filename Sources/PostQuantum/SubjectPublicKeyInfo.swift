/// Public keys with their algorithm: SubjectPublicKeyInfo in DER, without parameters. Source: RFC 9935 §4 (ML-KEM), RFC 9881 §4 (ML-DSA).
enum SubjectPublicKeyInfo {
    /// Everything before the raw key, for an object identifier below 2.16.840.1.101.3.4.
    static func prefix(_ arcs: [UInt8], count: Int) -> [UInt8] {
        let identifier = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04] + arcs
        let algorithm = [0x06, UInt8(identifier.count)] + identifier
        let sequence = [0x30, UInt8(algorithm.count)] + algorithm
        let bits = [0x03] + length(count + 1) + [0]
        return [0x30] + length(sequence.count + bits.count + count) + sequence + bits
    }

    /// Of 256 bytes or more, as each of these keys has.
    private static func length(_ count: Int) -> [UInt8] {
        [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }

    /// - Throws: unless `der` is the prefix and a key of the right length.
    static func key(in der: [UInt8], after prefix: [UInt8], count: Int, _ name: String) throws -> [UInt8] {
        try require("SubjectPublicKeyInfo of \(name)", der, count: prefix.count + count)
        guard der.starts(with: prefix) else {
            throw PostQuantumError(description: "SubjectPublicKeyInfo of another algorithm than \(name)")
        }
        return Array(der[prefix.count...])
    }
}

extension MLKEM {
    private var prefix: [UInt8] {
        SubjectPublicKeyInfo.prefix([4, self == .mlkem768 ? 2 : 3], count: encapsulationKeyCount)
    }

    /// How many bytes a key has as SubjectPublicKeyInfo.
    package var subjectPublicKeyInfoCount: Int { prefix.count + encapsulationKeyCount }

    fileprivate func info(_ key: [UInt8]) -> [UInt8] { prefix + key }

    fileprivate func key(in der: [UInt8]) throws -> [UInt8] {
        try SubjectPublicKeyInfo.key(in: der, after: prefix, count: encapsulationKeyCount, rawValue)
    }
}

extension MLDSA {
    private var prefix: [UInt8] {
        SubjectPublicKeyInfo.prefix([3, self == .mldsa65 ? 18 : 19], count: verificationKeyCount)
    }

    /// How many bytes a key has as SubjectPublicKeyInfo.
    package var subjectPublicKeyInfoCount: Int { prefix.count + verificationKeyCount }

    fileprivate func info(_ key: [UInt8]) -> [UInt8] { prefix + key }

    fileprivate func key(in der: [UInt8]) throws -> [UInt8] {
        try SubjectPublicKeyInfo.key(in: der, after: prefix, count: verificationKeyCount, rawValue)
    }
}

extension MLKEM.EncapsulationKey {
    package var subjectPublicKeyInfo: [UInt8] { self.set.info(bytes) }

    /// - Throws: for another algorithm or length, and when a coefficient is 3329 or more.
    package init(_ set: MLKEM, subjectPublicKeyInfo der: [UInt8]) throws {
        try self.init(set, set.key(in: der))
    }
}

extension MLDSA.VerificationKey {
    package var subjectPublicKeyInfo: [UInt8] { self.set.info(bytes) }

    /// - Throws: for another algorithm or length.
    package init(_ set: MLDSA, subjectPublicKeyInfo der: [UInt8]) throws {
        try self.init(set, set.key(in: der))
    }
}
