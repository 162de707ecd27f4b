import Essentials

/// A mobile authentication type: what the parameter `type` of a start names. What is left out has the value named.
///
/// Source: Token Server documentation, topic guides of mobile authentication by push, SMS and one-time password.
struct MobileAuthenticationType: Sendable, Equatable {
    var name: String
    var method: MobileMethod
    /// Life of a transaction in seconds.
    var expiresIn = 300
    /// By lower-case ISO language; used when a start brings no message.
    var messages: [String: String] = [:]
    /// Of pushes and text messages; 0 forbids to send again.
    var maxResends = 3
    /// Name of the type that is used when a push cannot be started.
    var fallback: String?
    /// Whether data of the portal are signed by the device. Push only.
    var isSigning = false
    /// Wrong codes from text messages before the transaction fails; 0 for no limit.
    var maxAttempts = 3
    /// Who a text message seems to be from.
    var senderID = "Understudy"

    init(_ name: String, _ method: MobileMethod, messages: [String: String] = [:], fallback: String? = nil) {
        (self.name, self.method, self.messages, self.fallback) = (name, method, messages, fallback)
    }

    /// The message in `language`, else in English.
    func message(in language: String?) -> String? { language.flatMap { messages[$0] } ?? messages["en"] }
}

extension MobileAuthenticationType: Codable {
    enum CodingKeys: String, CodingKey {
        case name, method
        case expiresIn = "expires_in"
        case messages
        case maxResends = "max_resends"
        case fallback
        case isSigning = "signing"
        case maxAttempts = "max_attempts"
        case senderID = "sender_id"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        method = try values.decode(MobileMethod.self, forKey: .method)
        try values.read(.expiresIn, into: &expiresIn)
        try values.read(.messages, into: &messages)
        try values.read(.maxResends, into: &maxResends)
        fallback = try values.decodeIfPresent(String.self, forKey: .fallback)
        try values.read(.isSigning, into: &isSigning)
        try values.read(.maxAttempts, into: &maxAttempts)
        try values.read(.senderID, into: &senderID)
    }

    /// What a portal's user is asked when nobody said anything else.
    static let standard = [
        MobileAuthenticationType("qr-code", .otp, messages: ["en": "Log in at the portal?"]),
        MobileAuthenticationType("otp", .otp, messages: ["en": "Log in?"]),
        MobileAuthenticationType("push", .push, messages: ["en": "Log in?"]),
        MobileAuthenticationType("push_with_pin", .pushWithPIN, messages: ["en": "Log in?"]),
        MobileAuthenticationType("sms", .sms, messages: ["en": "Your code is {code}."]),
    ]
}
