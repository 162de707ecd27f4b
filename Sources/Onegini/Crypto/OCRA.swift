import Crypto

/// Challenge and response by a shared key. Source: RFC 6287.
struct OCRA: Sendable, Equatable {
    /// As it stands in front of the hashed data, such as `OCRA-1:HOTP-SHA256-8:QH64-T1M`.
    let suite: String
    let digest: Digest
    /// How many decimal digits a response has, at most 9.
    let digits: Int

    /// What a device registers with: HMAC-SHA-256, eight digits, a challenge of 64 hex digits, and the time in minutes.
    static let registration = OCRA(suite: "OCRA-1:HOTP-SHA256-8:QH64-T1M", digest: .sha256, digits: 8)

    /// What is hashed behind the suite, in the order of RFC 6287 §5.1. What a suite does not name is nil.
    struct Input: Sendable {
        var counter: UInt64?
        /// Up to 128 bytes.
        var question: [UInt8] = []
        /// Hash of a PIN.
        var pin: [UInt8]?
        /// Steps since 1970, of the length that the suite names.
        var time: UInt64?
    }

    func response(key: [UInt8], _ input: Input) -> String {
        let question = input.question.prefix(128)
        let padded = question + [UInt8](repeating: 0, count: 128 - question.count)
        let data =
            Array(suite.utf8) + [0] + (input.counter.map(Self.bytes) ?? []) + padded + (input.pin ?? [])
            + (input.time.map(Self.bytes) ?? [])
        return truncated(digest.authenticationCode(of: data, key: key))
    }

    /// Source: RFC 4226 §5.3.
    private func truncated(_ hash: [UInt8]) -> String {
        let offset = Int(hash[hash.count - 1] & 15)
        let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | UInt64($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
