/// What the fixtures say beside Hanko's own configuration file.
struct OwnSettings: Codable, Sendable, Equatable {
    var profile: Configuration.Generation?
    var strictPendingAddress: Bool?
    var anyLocalhostOrigin: Bool?
    var adminKey: String?
    var strictWebAuthn: Bool?
    var fullUserAnswers: Bool?
}
