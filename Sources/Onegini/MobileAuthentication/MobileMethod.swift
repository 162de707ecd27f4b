/// How a user is asked. Source: mobile authentication API v4, “method” of a mobile authentication type.
enum MobileMethod: String, Codable, Sendable, CaseIterable {
    case push = "PUSH"
    case pushWithPIN = "PUSH_WITH_PIN"
    case pushWithFingerprint = "PUSH_WITH_FINGERPRINT"
    case pushWithCustom = "PUSH_WITH_CUSTOM_AUTHENTICATOR"
    case otp = "OTP"
    case sms = "SMS"

    /// For titles.
    var way: String {
        switch self {
        case .push: "by push"
        case .pushWithPIN: "by push and PIN"
        case .pushWithFingerprint: "by push and fingerprint"
        case .pushWithCustom: "by push and custom authenticator"
        case .otp: "by OTP"
        case .sms: "by text message"
        }
    }

    var isPush: Bool { self != .otp && self != .sms }

    /// `auth_method` in the answer to a start: `push`, `otp` or `sms`. The value `otp` is *assumed*, by analogy.
    var channel: String { isPush ? "push" : wireName }

    /// `authentication_method` of a result, such as `push_with_pin`.
    var wireName: String { rawValue.lowercased() }
}
