import HTTP
import PlatformKit

// Without a fixed issuer, a browser and a back end that know this server by two names meet two issuers.
extension AuthorizationServer {
    /// Remembers under which issuer a client came, and says in the journal where another use knows us by another one.
    func noteAddress(_ use: AddressBook.Use, of request: Request) throws {
        guard !request.isOurOwn else { return }
        let issuer = try issuer(request)
        guard let other = services.addresses.note(issuer, as: use, of: profile.name).last else { return }
        let mismatch =
            use == .discovery
            ? IssuerMismatch(told: other, expected: issuer) : IssuerMismatch(told: issuer, expected: other)
        services.journal.explain(mismatch.sentence(settingsOf: profile.name))
    }

    /// Says so where the back end that fetches tokens does it by another name than the browser.
    func noteAddress(of call: ClientCall, redeeming grant: Grant) throws {
        let issuer = try issuer(call.request)
        guard issuer != grant.issuer, !call.request.isOurOwn else { return }
        let mismatch = IssuerMismatch(told: grant.issuer, expected: issuer)
        services.journal.explain(mismatch.sentence(settingsOf: profile.name))
    }
}

/// Two names of one server in the eyes of a strict client.
private struct IssuerMismatch {
    /// What tokens say: where the user logs in.
    let told: String
    /// What a back end expects: where it asks.
    let expected: String

    /// - Parameter platform: whose section of the fixtures has the setting.
    func sentence(settingsOf platform: String) -> String {
        let origin = Self.origin(of: Self.host(of: expected) == "localhost" ? expected : told)
        let port = origin.split(separator: ":").dropFirst(2).first ?? "8420"
        return
            "Users log in at “\(told)”, so their tokens say iss “\(told)”; a back end that knows this server as “\(expected)” and checks strictly "
            + "refuses them: “iss is \(told), expected \(expected)” (OpenID Connect Core 1.0, section 3.1.3.7). Give all sides one issuer: start "
            + "with --public-url \(origin), or set \(platform).oauth.settings.issuer in the fixtures. An Android device or emulator reaches "
            + "localhost after adb reverse tcp:\(port) tcp:\(port)."
    }

    private static func origin(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(
            separator: "/")
    }

    private static func host(of url: String) -> Substring? {
        origin(of: url).split(separator: "/").last?.split(separator: ":").first
    }
}

extension Request {
    /// Whether a part of this program calls in the role of a client, such as the sample app. It asks itself by a name of its own.
    fileprivate var isOurOwn: Bool { headers["User-Agent"]?.hasPrefix("understudy") ?? false }
}
