import Essentials

/// PIN and biometrics of an installation, and what is remembered of their last success.
struct SecondFactor: Sendable, Equatable, Codable {
    enum State: String, Sendable {
        case unset = "UNSET"
        case set = "SET"
        case blocked = "BLOCKED"
    }

    /// Derived of the PIN on the device: 32 bytes, base64url. Nil while none is set.
    var pinKey: String?
    /// P-256, SPKI in base64url.
    var biometricKey: String?
    /// Wrong PINs since the last right one.
    var failures = 0
    /// Also biometrics are refused once the PIN is blocked.
    var blocksWithPIN = false
    /// The last success; nil when there was none, or when the end of an AppLogin erased it.
    var verifiedAt: Date?
    /// The last enrolment; nil when there was none, or when the end of an AppLogin erased it.
    var enrolledAt: Date?
    /// An AppLogin has ended since the last success.
    var isErased = false

    enum CodingKeys: String, CodingKey {
        case pinKey = "pin_key"
        case biometricKey = "biometric_key"
        case failures
        case blocksWithPIN = "blocks_with_pin"
        case verifiedAt = "verified_at"
        case enrolledAt = "enrolled_at"
        case isErased = "is_erased"
    }
}

extension SecondFactor {
    func triesLeft(of tries: Int) -> Int { max(0, tries - failures) }

    func state(tries: Int) -> State {
        if pinKey == nil { return .unset }
        return triesLeft(of: tries) == 0 ? .blocked : .set
    }

    /// What may be shown now, `PIN` and `BIOMETRIC`; empty when nothing is left.
    func allowed(tries: Int) -> [String] {
        let isBlocked = state(tries: tries) == .blocked
        let pin = pinKey != nil && !isBlocked ? ["PIN"] : []
        return pin + (biometricKey != nil && !(isBlocked && blocksWithPIN) ? ["BIOMETRIC"] : [])
    }

    mutating func succeed(at now: Date) { (verifiedAt, isErased) = (now, false) }

    /// After any logout of an AppLogin the next login asks.
    mutating func erase() { (verifiedAt, enrolledAt, isErased) = (nil, nil, true) }
}
