import Crypto
import Essentials

/// What a device answers to the challenge of its registration, judged.
struct RegistrationResponse: Sendable {
    /// Minutes by which the device's clock may differ.
    static let tolerance = 10
    /// Minutes up to which a wrong clock is looked for.
    static let horizon = 1_440

    let challenge: [UInt8]
    /// Eight digits.
    let text: String
    let now: Date

    enum Verdict: Sendable, Equatable {
        case right
        /// Minutes by which the device's clock is ahead, negative when it is behind.
        case clockOff(minutes: Int)
        case wrong
    }

    /// Any of several signatures may fit.
    ///
    /// - Parameter horizon: minutes up to which a wrong clock is looked for.
    func verdict(for signatures: [String], within horizon: Int = horizon) -> Verdict {
        let keys = signatures.map(Self.key)
        for distance in 0...horizon {
            for minutes in Set([distance, -distance]) where keys.contains(where: { fits($0, minutes) }) {
                return distance <= Self.tolerance ? .right : .clockOff(minutes: minutes)
            }
        }
        return .wrong
    }

    /// Source: the device protocol: the hash of the application signature.
    static func key(of signature: String) -> [UInt8] { Digest.sha256(Array(signature.utf8)) }

    private func fits(_ key: [UInt8], _ minutes: Int) -> Bool {
        Self.response(key: key, question: challenge, step: minute + minutes) == text
    }

    private var minute: Int { now.unixSeconds / 60 }

    static func response(key: [UInt8], question: [UInt8], step: Int) -> String {
        OCRA.registration.response(
            key: key, .init(question: question, time: UInt64(bitPattern: Int64(step))))
    }
}

extension RegistrationResponse {
    /// The mistake that makes exactly this response, as the end of a sentence; nil when none of the known ones does.
    func mistake(signatures: [String], others: [(version: String, signatures: [String])]) -> String? {
        for other in others where verdict(for: other.signatures, within: Self.tolerance) == .right {
            return "it fits the application signature of \(other.version)"
        }
        for signature in signatures {
            if let found = mistake(with: signature) { return found }
        }
        return nil
    }

    private func mistake(with signature: String) -> String? {
        let key = Self.key(of: signature)
        let candidates: [(key: [UInt8], question: [UInt8], mistake: String)] = [
            (Array(signature.utf8), challenge, "the key was the signature itself instead of its SHA-256"),
            (
                Array(Hex.encode(key).utf8), challenge,
                "the key was the SHA-256 of the signature as hex text instead of its 32 bytes"
            ),
            (
                key, Array(Hex.encode(challenge).utf8),
                "the challenge was hashed as text instead of decoded from hex"
            ),
        ]
        for candidate in candidates {
            for minutes in -Self.tolerance...Self.tolerance
            where Self.response(
                key: candidate.key, question: candidate.question, step: minute + minutes) == text
            { return candidate.mistake }
        }
        return wrongUnit(key)
    }

    /// Milliseconds are told apart within this time before the answer, in seconds.
    private static let freshness = 10

    /// Seconds, half minutes or milliseconds in the place of minutes; of the last, only those of the last seconds can be found.
    private func wrongUnit(_ key: [UInt8]) -> String? {
        let seconds = now.unixSeconds
        for step in (seconds - Self.freshness) * 1000 / 60...(seconds + 1) * 1000 / 60
        where Self.response(key: key, question: challenge, step: step) == text {
            return "the time was counted in milliseconds, divided by 60, instead of in minutes"
        }
        for second in seconds - 600...seconds + 600 {
            for (step, unit) in [(second, "seconds"), (second / 30, "half minutes")]
            where Self.response(key: key, question: challenge, step: step) == text {
                return "the time was counted in \(unit) instead of minutes"
            }
        }
        return nil
    }
}
