package import Crypto

/// The code that starts an activation, `XXXXX-XXXXX-XXXXX-XXXXX`: ten random bytes and their check sum.
package struct ActivationCode: Sendable, Hashable {
    /// 23 characters
    package let text: String

    /// - Parameter random: 10 bytes.
    package init(random: [UInt8]) throws {
        guard random.count == Self.randomCount else {
            throw ProtocolFault.malformed(
                part: "activation code", expected: "10 random bytes", got: "\(random.count) bytes")
        }
        let letters = Base32.encode(random + bigEndian(checksum(random)))
        text = stride(from: 0, to: 20, by: 5).map { letters.dropFirst($0).prefix(5) }.joined(separator: "-")
    }

    /// Reads a code in its exact form.
    ///
    /// - Throws: ``ProtocolFault`` when form or check sum are wrong.
    package init(_ text: String) throws {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.count == 4, groups.allSatisfy({ $0.utf8.count == 5 }),
            let bytes = Base32.decode(groups.joined()), bytes.count == Self.randomCount + 2
        else {
            throw ProtocolFault.malformed(
                part: "activation code", expected: "XXXXX-XXXXX-XXXXX-XXXXX of A-Z and 2-7", got: "other text"
            )
        }
        guard bigEndian(checksum(Array(bytes.dropLast(2)))) == Array(bytes.suffix(2)) else {
            throw ProtocolFault.malformed(
                part: "activation code", expected: "the check sum of the code", got: "another one")
        }
        self.text = text
    }

    private static let randomCount = 10

    /// The signature that shows a device that the code is the application's: ECDSA in DER over the text.
    package func signature(by masterKey: PrivateKey) throws -> [UInt8] {
        try DataSignature.sign(Array(text.utf8), by: masterKey)
    }

    /// What a QR code shows: the code and, after `#`, its signature in Base64.
    package func qrText(signature: [UInt8]?) -> String {
        text + (signature.map { "#" + Base64.encode($0) } ?? "")
    }

    /// What is printed for a code of recovery.
    package var recoveryText: String { "R:" + text }
}

/// CRC-16/ARC: reflected polynomial 0xA001, from 0, without a final xor.
private func checksum(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { sum, byte in
        (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
}
