/// A version of an application in a fixture file.
struct ApplicationVersionFixture: Codable, Sendable {
    var name: String
    /// Base64 of 16 bytes.
    var key: String
    /// Base64 of 16 bytes.
    var secret: String
    /// True when left out.
    var isSupported: Bool?

    enum CodingKeys: String, CodingKey {
        case name
        case key = "app_key"
        case secret = "app_secret"
        case isSupported = "is_supported"
    }
}
