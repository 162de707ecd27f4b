import PlatformKit

/// What the back end has to know of MIRACL, as an integrator would configure it.
struct MIRACLSettings: Codable, Sendable, Equatable {
    /// The provider's issuer, such as `https://api.example.com`; this server's own when left out.
    var issuer: String?
    /// Credentials of an application.
    var clientID = "miracl-app"
    var clientSecret = "miracl-secret"
    var sessionSeconds = 3600

    static let kept = Setting<MIRACLSettings>("app.miracl_login")

    enum CodingKeys: String, CodingKey {
        case issuer
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case sessionSeconds = "session_seconds"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try fields.decodeIfPresent(String.self, forKey: .issuer)
        clientID = try fields.decodeIfPresent(String.self, forKey: .clientID) ?? clientID
        clientSecret = try fields.decodeIfPresent(String.self, forKey: .clientSecret) ?? clientSecret
        sessionSeconds = try fields.decodeIfPresent(Int.self, forKey: .sessionSeconds) ?? sessionSeconds
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    func check() throws {
        if let issuer, !issuer.hasPrefix("http://") && !issuer.hasPrefix("https://") || issuer.hasSuffix("/")
        {
            throw FixtureProblem(
                at: ["miracl_login", "issuer"],
                "expected a URL without a slash at its end, such as “https://api.example.com”, found “\(issuer)”"
            )
        }
        guard (1...31_536_000).contains(sessionSeconds) else {
            throw FixtureProblem(
                at: ["miracl_login", "session_seconds"], "expected 1 to 31536000, found \(sessionSeconds)")
        }
    }
}
