import Essentials

extension Operation {
    /// What the back end shows to a device that is near: 8 digits of this moment; nil without proximity check.
    func proximityOTP(at now: Date) throws -> String? {
        try proximitySeed.map { try OneTimePassword(seed: $0.bytes).code(at: Int(now.timeIntervalSince1970)) }
    }
}
