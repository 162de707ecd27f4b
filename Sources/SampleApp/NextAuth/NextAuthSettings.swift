import PlatformKit

/// What the token service has to know of nextAuth, as an integrator would configure it.
struct NextAuthSettings: Codable, Sendable, Equatable {
    /// Base URL of the nextAuth Server, such as `https://api.example.com`; this server's own when left out.
    var server: String?
    /// Base64, as the API spells it.
    var serverID = "NP3zfIyXOwwzWEIfcetxjQ=="
    var apiKey = "nextauth-api-key"
    /// Seconds that an access token lives.
    var tokenSeconds = 300

    static let kept = Setting<NextAuthSettings>("app.nextauth_tokens")

    enum CodingKeys: String, CodingKey {
        case server
        case serverID = "server_id"
        case apiKey = "api_key"
        case tokenSeconds = "token_seconds"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        server = try fields.decodeIfPresent(String.self, forKey: .server)
        serverID = try fields.decodeIfPresent(String.self, forKey: .serverID) ?? serverID
        apiKey = try fields.decodeIfPresent(String.self, forKey: .apiKey) ?? apiKey
        tokenSeconds = try fields.decodeIfPresent(Int.self, forKey: .tokenSeconds) ?? tokenSeconds
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    func check() throws {
        if let server, !server.hasPrefix("http://") && !server.hasPrefix("https://") || server.hasSuffix("/")
        {
            throw FixtureProblem(
                at: ["nextauth_tokens", "server"],
                "expected a URL without a slash at its end, such as “https://api.example.com”, found “\(server)”"
            )
        }
        guard (1...86_400).contains(tokenSeconds) else {
            throw FixtureProblem(
                at: ["nextauth_tokens", "token_seconds"], "expected 1 to 86400, found \(tokenSeconds)")
        }
    }
}
