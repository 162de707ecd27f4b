/// How a message is enriched with where its request came from. The table stands for geolocation, which needs the world.
///
/// Source: Token Server documentation, topic “mobile authentication”, location context.
struct ContextSettings: Codable, Sendable, Equatable {
    struct Location: Codable, Sendable, Equatable {
        var countryCode: String?
        var region: String?
        var city: String?

        enum CodingKeys: String, CodingKey {
            case countryCode = "country_code"
            case region, city
        }
    }

    /// The vendor's own.
    static let standardTemplate =
        "[message] Device: [operatingSystem] [browser], Location: [countryCode], [region], [city]"

    /// By lower-case ISO language; the vendor's own in English when left out.
    var templates: [String: String]?
    /// By IP address as the portal sends it.
    var locations: [String: Location]?

    func template(in language: String?) -> String {
        language.flatMap { templates?[$0] } ?? templates?["en"] ?? Self.standardTemplate
    }
}
