package import Crypto

/// The code that a person scans or types to activate the app, and the application's signature of it.
package struct ActivationCode: Sendable, Equatable {
    /// Four groups of five signs: `XXXXX-XXXXX-XXXXX-XXXXX`.
    package let text: String
    /// DER
    package let signature: [UInt8]?

    /// Reads `CODE#SIGNATURE`, or the code alone; the `R:` of a recovery code is left out.
    ///
    /// - Throws: ``DeviceError`` for anything but the exact form with the right checksum.
    package init(parsing text: String) throws {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let code = String(parts[0].hasPrefix("R:") ? parts[0].dropFirst(2) : parts[0])
        let groups = code.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.count == 4, groups.allSatisfy({ $0.utf8.count == 5 }) else {
            throw DeviceError("«\(code)» is not four groups of five signs")
        }
        let bytes = try Self.bytes(ofBase32: groups.joined())
        let checksum = KeyArithmetic.bigEndian(Self.checksum(bytes.prefix(10)))
        guard Array(bytes.suffix(2)) == checksum else {
            throw DeviceError("the checksum of «\(code)» is wrong; it would be \(Hex.encode(checksum))")
        }
        self.text = code
        signature = parts.count == 2 ? try Wire.bytes(String(parts[1]), "signature") : nil
    }

    /// Whether the code carries the signature of that key.
    package func isSigned(by masterKey: PublicKey) -> Bool {
        signature.map { CurveKey.isValid($0, for: Array(text.utf8), masterKey) } ?? false
    }

    /// CRC-16/ARC.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
        }
    }

    /// 20 signs of RFC 4648 §6 are 100 bits, of which the last four are zero.
    private static func bytes(ofBase32 text: String) throws -> [UInt8] {
        var (bytes, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else {
                throw DeviceError("«\(text)» has a sign outside of A–Z and 2–7")
            }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= 1 << UInt32(bits) - 1
            }
        }
        guard bytes.count == 12, buffer == 0 else {
            throw DeviceError("«\(text)» ends in bits that are not zero")
        }
        return bytes
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
}
