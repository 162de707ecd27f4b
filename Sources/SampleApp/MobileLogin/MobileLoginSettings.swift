import PlatformKit

/// What the app's back end has to know of PowerAuth Cloud, as an integrator would configure it.
struct MobileLoginSettings: Codable, Sendable, Equatable {
    /// Base URL of PowerAuth Cloud, such as `https://powerauth.example.com/powerauth-cloud`; this server's own when left out.
    var cloud: String?
    /// Credentials of an integration user.
    var username = "back-office"
    var password = "back-office-secret"
    /// Name of the operation template for a login.
    var template = "login"
    /// Seconds within which a login has to be confirmed after the user approved it.
    var confirmSeconds = 60
    var sessionSeconds = 3600
    /// Whether start and confirmation of a login need a MAC token header.
    var requiresToken = false
    /// Whether address and user agent of the one who confirms must be those of the device that approved.
    var comparesDevice = false

    static let kept = Setting<MobileLoginSettings>("app.mobile_login")

    enum CodingKeys: String, CodingKey {
        case cloud, username, password, template
        case confirmSeconds = "confirm_seconds"
        case sessionSeconds = "session_seconds"
        case requiresToken = "requires_token"
        case comparesDevice = "compares_device"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
            value = try fields.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        cloud = try fields.decodeIfPresent(String.self, forKey: .cloud)
        try read(.username, into: &username)
        try read(.password, into: &password)
        try read(.template, into: &template)
        try read(.confirmSeconds, into: &confirmSeconds)
        try read(.sessionSeconds, into: &sessionSeconds)
        try read(.requiresToken, into: &requiresToken)
        try read(.comparesDevice, into: &comparesDevice)
    }

    /// - Throws: `FixtureProblem` for values that make no sense.
    func check() throws {
        if let cloud, !cloud.hasPrefix("http://"), !cloud.hasPrefix("https://") {
            throw FixtureProblem(
                at: ["mobile_login", "cloud"],
                "expected a URL such as “https://powerauth.example.com/powerauth-cloud”, found “\(cloud)”"
            )
        }
        try check(confirmSeconds, 1...86_400, "confirm_seconds")
        try check(sessionSeconds, 1...31_536_000, "session_seconds")
    }

    private func check(_ seconds: Int, _ range: ClosedRange<Int>, _ member: String) throws {
        guard range.contains(seconds) else {
            throw FixtureProblem(
                at: ["mobile_login", member],
                "expected \(range.lowerBound) to \(range.upperBound), found \(seconds)")
        }
    }
}
