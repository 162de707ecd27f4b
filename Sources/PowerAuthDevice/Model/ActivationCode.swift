package import Crypto
import DeviceKit

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
            throw DeviceError("“\(code)” is not four groups of five signs")
        }
        guard let bytes = Base32.decode(groups.joined()) else {
            throw DeviceError("“\(code)” is not Base32 that ends in zero bits")
        }
        let checksum = KeyArithmetic.bigEndian(Self.checksum(bytes.prefix(10)))
        guard Array(bytes.suffix(2)) == checksum else {
            throw DeviceError("the checksum of “\(code)” is wrong; it would be \(Hex.encode(checksum))")
        }
        self.text = code
        signature = parts.count == 2 ? try Wire.bytes(String(parts[1]), "signature") : nil
    }

    /// Whether the code carries the signature of the application: of P-256, or of P-384 where the app has that key.
    package func isSigned(by configuration: MobileConfiguration) -> Bool {
        configuration.masterPoints.contains(where: isSigned)
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
}
