import Crypto
import Essentials
import HTTP

/// Time-based one-time passwords: SHA-1, six digits, 30 seconds. Source: RFC 6238, RFC 4226.
enum TOTP {
    static let stepSeconds = 30
    static let digits = 6
    /// Steps before and after the present one that are taken as well. Source: RFC 6238 §5.2.
    static let window = 1

    /// The code of a step. Source: RFC 4226 §5.3.
    static func code(_ key: [UInt8], step: Int, digits: Int = digits) -> String {
        let counter = withUnsafeBytes(of: UInt64(max(step, 0)).bigEndian) { Array($0) }
        let hash = Digest.sha1.authenticationCode(of: counter, key: key)
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let binary = hash[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(1) { power, _ in power * 10 }
        let text = String(binary % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    static func step(at now: Date) -> Int {
        now.unixSeconds / stepSeconds
    }

    /// The step that a right code belongs to; nil for a wrong one.
    static func step(of code: String, secret: String, at now: Date) -> Int? {
        guard let key = Base32.decode(secret, isLenient: true) else { return nil }
        let present = step(at: now)
        // The present step first, for a code that two have in common.
        return ([present] + (1...window).flatMap { [present + $0, present - $0] })
            .first { self.code(key, step: $0) == code }
    }

    /// What is wrong with the code, in a sentence; nil when it is right.
    ///
    /// - Parameter secret: base32.
    static func fault(of code: String, secret: String, at now: Date) -> String? {
        guard let key = Base32.decode(secret, isLenient: true) else {
            return "The user has no authenticator app."
        }
        let present = step(at: now)
        if step(of: code, secret: secret, at: now) != nil { return nil }
        let expected = "the world's clock asks for \(self.code(key, step: present))"
        // Half an hour to each side: devices with a wrong clock, and tests that moved the world's.
        let elsewhere = (present - 60...present + 60).first { self.code(key, step: $0) == code }
        guard let elsewhere else { return "The code “\(code.prefix(20))” is wrong: \(expected)." }
        let seconds = (elsewhere - present) * stepSeconds
        return "The code “\(code.prefix(20))” belongs to a clock that is \(abs(seconds)) s "
            + "\(seconds < 0 ? "behind" : "ahead"): \(expected)."
    }

    /// What authenticator apps read from the picture.
    static func url(secret: String, account: String, issuer: String) -> String {
        "otpauth://totp/\(issuer.percentEncoded):\(account.percentEncoded)?algorithm=SHA1&digits=\(digits)"
            + "&issuer=\(issuer.percentEncoded)&period=\(stepSeconds)&secret=\(secret)"
    }
}
