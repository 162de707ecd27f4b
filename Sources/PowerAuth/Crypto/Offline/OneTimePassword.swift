package import Crypto

/// Time-based one-time passwords, by which a device shows that it is near. Source: RFC 6238.
package struct OneTimePassword: Sendable {
    private let seed: [UInt8]
    private let digits: Int
    private let stepSeconds: Int
    private let digest: Digest

    /// - Throws: ``ProtocolFault`` unless there are 6 to 8 digits and a step of a second or more.
    package init(
        seed: [UInt8], digits: Int = 8, stepSeconds: Int = 30, digest: Digest = .sha256
    ) throws {
        guard (6...8).contains(digits), stepSeconds > 0 else {
            throw ProtocolFault.malformed(
                part: "one-time password", expected: "6 to 8 digits, a step of a second or more",
                got: "\(digits) digits, \(stepSeconds) s")
        }
        self.seed = seed
        self.digits = digits
        self.stepSeconds = stepSeconds
        self.digest = digest
    }

    /// - Parameter seconds: since 1970; what lies before counts as 1970.
    package func code(at seconds: Int) -> String { code(step: step(at: seconds)) }

    /// The codes of now and of so many steps before.
    package func codes(at seconds: Int, stepsBack: Int) -> [String] {
        let now = step(at: seconds)
        return (0...UInt64(clamping: stepsBack)).prefix { $0 <= now }.map { code(step: now - $0) }
    }

    private func step(at seconds: Int) -> UInt64 { UInt64(clamping: seconds / stepSeconds) }

    private func code(step: UInt64) -> String {
        let hash = digest.authenticationCode(of: bigEndian(step), key: seed)
        // RFC 4226 §5.3: the last four bits tell where four bytes are taken from.
        let offset = Int((hash.last ?? 0) & 15)
        return decimalCode(of: Array(hash[offset..<(offset + 4)]), digits: digits)
    }
}
