import OpenID
package import PlatformKit
import SQLite

extension Onegini: SetsUpCallers {
    /// For apps the configuration model of the first application; for web pages and back ends the first client of each kind.
    ///
    /// - Source: the vendor's public SDK Configurator, which writes these models; the names of its values.
    package func setup(for place: Setup.Place) throws -> Setup? {
        let url = place.url("oauth")
        switch place.caller {
        case .iOS: return try app(.ios, url).map { Self.objectiveC($0) }
        case .android: return try app(.android, url).map { Self.kotlin($0) }
        case .web, .backEnd:
            var setup = Setup(values: [.init("Issuer", url)])
            guard let client = try firstClient("web") else { return setup }
            setup.values += [
                .init("Client ID", client.id), .init("Client secret", client.secret ?? "none"),
                .init("Redirect URIs", (client.metadata.redirectURIs ?? []).joined(separator: ", ")),
            ]
            if place.caller == .backEnd { setup.snippets = [Self.properties(client, url)] }
            if place.caller == .backEnd, let api = try firstClient("api") {
                setup.values += [
                    .init("API client ID", api.id), .init("API client secret", api.secret ?? "none"),
                ]
            }
            return setup
        case .curl:
            return Setup(
                values: [.init("Issuer", url)],
                snippets: [.init("Shell", "curl \(url)/.well-known/openid-configuration")])
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

    private static func properties(_ client: Client, _ url: String) -> Setup.Snippet {
        .init(
            "Spring Security, properties",
            """
            spring.security.oauth2.client.provider.understudy.issuer-uri=\(url)
            spring.security.oauth2.client.registration.understudy.client-id=\(client.id)
            spring.security.oauth2.client.registration.understudy.client-secret=\(client.secret ?? "")
            spring.security.oauth2.client.registration.understudy.scope=openid,profile
            """)
    }
}
