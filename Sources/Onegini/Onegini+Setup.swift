import OpenID
package import PlatformKit
import SQLite

extension Onegini: SetsUpCallers {
    /// For apps the configuration model of the first application; for web pages the first client without a secret, for back ends the first
    /// with one of each kind.
    ///
    /// - Source: the vendor's public SDK Configurator, which writes these models; the names of its values.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let url = place.url("oauth")
        switch place.caller {
        case .iOS: return try app(.ios, url).map { Self.objectiveC($0) }
        case .android: return try app(.android, url).map { Self.kotlin($0) }
        case .web: return try page(url)
        case .backEnd: return try backEnd(url)
        case .curl:
            return Setup(
                values: [.init("Issuer", url)],
                snippets: [.init("Shell", "curl \(url)/.well-known/openid-configuration")])
        }
    }

    private func page(_ url: String) throws -> Setup {
        guard let client = try firstPublicClient() else { return Setup(values: [.init("Issuer", url)]) }
        return Setup(
            values: Self.values(client, url), snippets: [OneginiSnippets.page(client, url)],
            notes: ["A page keeps no secret; PKCE takes its place, which oidc-client-ts sends by itself."])
    }

    private func backEnd(_ url: String) throws -> Setup {
        guard let client = try firstClient("web") else { return Setup(values: [.init("Issuer", url)]) }
        var setup = Setup(
            values: Self.values(client, url), snippets: OneginiSnippets.backEnds(client, url))
        if let api = try firstClient("api") {
            setup.values += [
                .init("API client ID", api.id), .init("API client secret", api.secret ?? "none"),
            ]
        }
        return setup
    }

    private static func values(_ client: Client, _ url: String) -> [Setup.Value] {
        [
            .init("Issuer", url), .init("Client ID", client.id),
            .init("Client secret", client.secret ?? "none"),
            .init("Redirect URIs", (client.metadata.redirectURIs ?? []).joined(separator: ", ")),
        ]
    }

    /// The first that a page can be sent back to: others are apps, which have schemes of their own.
    private func firstPublicClient() throws -> Client? {
        try database.read { db in
            try server.clients.all(where: "kind = \("web") AND secret IS NULL", in: db).first { client in
                client.isPublic && (client.metadata.redirectURIs ?? []).contains { $0.hasPrefix("http") }
            }
        }
    }

    private func firstClient(_ kind: String) throws -> Client? {
        try database.read { db in
            try server.clients.all(where: "kind = \(kind) AND secret IS NOT NULL", in: db).first
        }
    }

    /// What an app is built with.
    private struct App {
        let identifier: String
        let platform: String
        let version: String
        let redirectURI: String
        /// Without `/oauth`, which the SDK adds.
        let baseURL: String
    }

    private func app(_ platform: ApplicationVersion.Platform, _ url: String) throws -> App? {
        let settings = try database.read { db in try db.all(KeptApplication.self) }.map(\.settings)
        let found = settings.lazy.compactMap { settings in
            settings.versions.first { $0.platform == platform }.map { (settings, $0) }
        }.first
        return found.map { settings, version in
            App(
                identifier: settings.identifier, platform: platform.rawValue, version: version.name,
                redirectURI: settings.redirectURIs.first ?? "",
                baseURL: url.hasSuffix("/oauth") ? String(url.dropLast(6)) : url)
        }
    }

    private static func setup(_ app: App, _ snippet: Setup.Snippet) -> Setup {
        Setup(
            values: [
                .init("Application identifier", app.identifier), .init("Version", app.version),
                .init("Base URL", app.baseURL), .init("Redirect URL", app.redirectURI),
            ], snippets: [snippet],
            notes: [
                "The wire format of the vendor's SDK is closed. A stub with its names takes this model and speaks the open device protocol instead: “understudy stub” prints it, and the page “Stubs of closed SDKs” of the documentation (/docs/stubs) says how an app is built with it."
            ])
    }

    private static func objectiveC(_ app: App) -> Setup {
        setup(
            app,
            .init(
                "OneginiConfigModel, Objective-C",
                """
                + (NSDictionary *)configuration
                {
                    return @{
                             @"ONGAppIdentifier" : @"\(app.identifier)",
                             @"ONGAppPlatform" : @"\(app.platform)",
                             @"ONGAppVersion" : @"\(app.version)",
                             @"ONGAppBaseURL" : @"\(app.baseURL)",
                             @"ONGResourceBaseURL" : @"\(app.baseURL)/resources/",
                             @"ONGRedirectURL" : @"\(app.redirectURI)",
                             };
                }
                """))
    }

    private static func kotlin(_ app: App) -> Setup {
        setup(
            app,
            .init(
                "OneginiConfigModel, Kotlin",
                """
                class OneginiConfigModel : OneginiClientConfigModel {
                    override fun getAppIdentifier() = "\(app.identifier)"
                    override fun getAppPlatform() = "\(app.platform)"
                    override fun getAppVersion() = "\(app.version)"
                    override fun getBaseUrl() = "\(app.baseURL)"
                    override fun getResourceBaseUrl() = "\(app.baseURL)/resources/"
                    override fun getRedirectUri() = "\(app.redirectURI)"
                    // Certificate pinning, device name and the rest as the SDK Configurator writes them.
                }
                """))
    }
}
