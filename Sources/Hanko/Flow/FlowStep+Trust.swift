import Essentials
import PlatformKit

extension FlowStep {
    /// Whether the second factor is spared here.
    func isDeviceTrusted(by userID: String) throws -> Bool {
        guard configuration.mfa.deviceTrust != .never else { return false }
        return try configuration.mfa.deviceTrustCookie.tokens(of: userID, in: caller.deviceTokens).contains {
            try db.isTrusted($0, by: userID, at: now)
        }
    }

    /// Trusts the device after a second factor was brought: always, or because the user said so, as the policy has it.
    mutating func trustDevice(of userID: String) throws {
        let isWanted =
            switch configuration.mfa.deviceTrust {
            case .always: flow.stash.mfaMethod != nil
            case .prompt: flow.stash.trustsDevice == true
            case .never: false
            }
        guard isWanted else { return }
        let (token, seconds) = (entropy.deviceToken(), configuration.mfa.deviceTrustDuration.seconds)
        let cookie = configuration.mfa.deviceTrustCookie
        try db.trust(
            TrustedDevice(
                token: token, userID: userID, createdAt: now, expiresAt: now.addingTimeInterval(seconds)))
        cookies.append(
            cookie.header(
                adding: token, of: userID, to: caller.deviceTokens, maxAge: Int(saturating: seconds)))
        note(
            "device trusted",
            "This device need not bring the second factor of the user \(userID) for \(Int(saturating: seconds)) s; the cookie "
                + "\(cookie.name) says so.")
    }
}
