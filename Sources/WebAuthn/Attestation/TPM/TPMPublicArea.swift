import Crypto

/// The public part of a key in a TPM, `TPMT_PUBLIC`. Source: TCG TPM 2.0 Library, part 2 §12.2.4.
struct TPMPublicArea {
    let bytes: [UInt8]
    private let nameAlgorithm: Int
    let numbers: COSEKey.Numbers
    private let nameDigest: Digest

    init(_ bytes: [UInt8]) throws {
        var reader = TPMReader(bytes)
        let type = try reader.number(2)
        nameAlgorithm = try reader.number(2)
        guard let digest = TPMAlgorithm.digest(nameAlgorithm) else {
            throw TPMReader.Ended(what: "the name algorithm \(nameAlgorithm) is not known")
        }
        nameDigest = digest
        try reader.skip(4)  // objectAttributes
        _ = try reader.sized()  // authPolicy
        switch type {
        case TPMAlgorithm.rsa: numbers = try Self.rsa(&reader)
        case TPMAlgorithm.ecc: numbers = try Self.ecc(&reader)
        default: throw TPMReader.Ended(what: "a key of type \(type) is neither RSA nor ECC")
        }
        try reader.end()
        self.bytes = bytes
    }

    /// By which other structures refer to the key. Source: part 1 §16.
    var name: [UInt8] {
        [UInt8(nameAlgorithm >> 8), UInt8(nameAlgorithm & 0xFF)] + nameDigest(bytes)
    }

    /// `TPMS_RSA_PARMS`, then the modulus.
    private static func rsa(_ reader: inout TPMReader) throws(TPMReader.Ended) -> COSEKey.Numbers {
        try skipSymmetric(&reader)
        try skipScheme(&reader)
        _ = try reader.number(2)  // keyBits
        let exponent = try reader.number(4)
        let modulus = try reader.sized()
        return .rsa(
            modulus: Array(modulus.drop { $0 == 0 }), exponent: bigEndian(exponent == 0 ? 65_537 : exponent))
    }

    /// `TPMS_ECC_PARMS`, then x and y.
    private static func ecc(_ reader: inout TPMReader) throws(TPMReader.Ended) -> COSEKey.Numbers {
        try skipSymmetric(&reader)
        try skipScheme(&reader)
        let number = try reader.number(2)
        guard let curve = TPMAlgorithm.curve(number) else {
            throw TPMReader.Ended(what: "the curve \(number) is not known")
        }
        try skipScheme(&reader)  // kdf
        return .ec(
            curve, x: sized(try reader.sized(), curve.coordinateCount),
            y: sized(try reader.sized(), curve.coordinateCount))
    }

    private static func skipSymmetric(_ reader: inout TPMReader) throws(TPMReader.Ended) {
        // TPMT_SYM_DEF_OBJECT: key bits and mode follow unless it is null.
        if try reader.number(2) != TPMAlgorithm.null { try reader.skip(4) }
    }

    private static func skipScheme(_ reader: inout TPMReader) throws(TPMReader.Ended) {
        if try reader.number(2) != TPMAlgorithm.null { try reader.skip(2) }
    }

    private static func sized(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return [UInt8](repeating: 0, count: max(0, count - digits.count)) + digits
    }

    static func bigEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0.drop { $0 == 0 }) }
    }
}
