package import PlatformKit
import SQLite

extension PowerAuth: SetsUpCallers {
    /// Of the first application that has a supported version.
    ///
    /// - Source: the vendor's public documentation of the PowerAuth Mobile SDK, “Configuration”; a plain HTTP address needs
    ///   `allowUnsecuredConnection` on Android.
    package func setup(for place: Setup.Place) throws -> Setup? {
        guard let app = try appConfigurations().first, let configuration = app.values["mobileSdkConfig"]
        else {
            return nil
        }
        let url = place.url(app.mount)
        var setup = Setup(values: [
            .init("Application", app.application), .init("Base endpoint URL", url),
            .init("mobileSdkConfig", configuration),
        ])
        switch place.caller {
        case .iOS: setup.snippets = [Self.swift(url, configuration)]
        case .android: setup.snippets = [Self.kotlin(url, configuration)]
        case .web: return nil
        case .backEnd, .curl:
            let cloud = place.url("powerauth-cloud")
            setup.values = [.init("Application", app.application), .init("PowerAuth Cloud URL", cloud)]
            let users = try database.read { db in try db.all(SystemUser.self) }
            guard let user = users.first(where: { $0.isEnabled && $0.roles == [.user] }) ?? users.first else {
                return setup
            }
            setup.values += [.init("User name", user.name), .init("Password", user.password)]
            if place.caller == .curl {
                setup.snippets = [
                    .init(
                        "Shell",
                        "curl -u \(user.name):\(user.password) '\(cloud)/v2/registrations?userId=ada'")
                ]
            }
        }
        return setup
    }

    private static func swift(_ url: String, _ configuration: String) -> Setup.Snippet {
        .init(
            "PowerAuth Mobile SDK, Swift (module PowerAuth2)",
            """
            let configuration = PowerAuthConfiguration(
                instanceId: Bundle.main.bundleIdentifier!,
                baseEndpointUrl: "\(url)",
                configuration: "\(configuration)")
            let powerAuth = PowerAuthSDK(configuration: configuration)
            """)
    }

    private static func kotlin(_ url: String, _ configuration: String) -> Setup.Snippet {
        let client: (String, String) =
            url.hasPrefix("https:")
            ? ("", "")
            : (
                "val clientConfiguration = PowerAuthClientConfiguration.Builder().allowUnsecuredConnection(true).build()\n",
                "\n    .clientConfiguration(clientConfiguration)"
            )
        return .init(
            "PowerAuth Mobile SDK, Kotlin",
            """
            val configuration = PowerAuthConfiguration.Builder(
                applicationContext.packageName,
                "\(url)",
                "\(configuration)"
            ).build()
            \(client.0)val powerAuth = PowerAuthSDK.Builder(configuration)\(client.1)
                .build(applicationContext)
            """)
    }
}
