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
        let next = app.values["mobileSdkConfigV4"]
        if let next, place.caller == .iOS || place.caller == .android {
            setup.values.append(.init("mobileSdkConfigV4", next))
        }
        switch place.caller {
        case .iOS:
            setup.snippets = [Self.swift("PowerAuth Mobile SDK 1.x", url, configuration)]
            if let next { setup.snippets += [Self.swift("PowerAuth Mobile SDK 2.x", url, next)] }
        case .android:
            setup.snippets = [Self.kotlin("PowerAuth Mobile SDK 1.x", url, configuration)]
            if let next { setup.snippets += [Self.kotlin("PowerAuth Mobile SDK 2.x", url, next)] }
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
        if let next, place.caller == .iOS || place.caller == .android {
            setup.snippets += [Self.flutter(url, next), Self.reactNative(url, next)]
            setup.notes = [
                "The SDK 2.x makes new activations by protocol 4.0, in the suite EC_P384_ML_L3 unless it is told another. Its "
                    + "configuration string serves its legacy algorithm too; that of the SDK 1.x does not serve 4.0."
            ]
        }
        return setup
    }

    /// - Source: Wultra's guide of the PowerAuth Mobile SDK for Flutter 2.0, “Configuration”.
    private static func flutter(_ url: String, _ configuration: String) -> Setup.Snippet {
        let plain =
            url.hasPrefix("https:")
            ? "" : ",\n    clientConfiguration: PowerAuthClientConfiguration(enableUnsecureTraffic: true)"
        return .init(
            "PowerAuth Mobile SDK 2.x, Flutter",
            """
            import 'package:flutter_powerauth_mobile_sdk_plugin/flutter_powerauth_mobile_sdk_plugin.dart';

            final powerAuth = PowerAuth("your-app-instance-id");
            await powerAuth.configure(
                configuration: PowerAuthConfiguration(
                    configuration: "\(configuration)",
                    baseEndpointUrl: "\(url)",
                    algorithm: PowerAuthAlgorithm.p384l3)\(plain));
            """)
    }

    /// - Source: Wultra's guide of the PowerAuth Mobile SDK for React Native 5.0, “Configuration”.
    private static func reactNative(_ url: String, _ configuration: String) -> Setup.Snippet {
        let plain = url.hasPrefix("https:") ? "" : ",\n    { enableUnsecureTraffic: true }"
        return .init(
            "PowerAuth Mobile SDK 2.x, React Native",
            """
            import { PowerAuth, PowerAuthAlgorithm, PowerAuthConfiguration } from 'react-native-powerauth-mobile-sdk';

            const powerAuth = new PowerAuth("your-app-instance-id");
            await powerAuth.configure(
                new PowerAuthConfiguration(
                    "\(configuration)",
                    "\(url)",
                    PowerAuthAlgorithm.P384_L3)\(plain));
            """)
    }

    private static func swift(_ sdk: String, _ url: String, _ configuration: String) -> Setup.Snippet {
        .init(
            "\(sdk), Swift (module PowerAuth2)",
            """
            let configuration = PowerAuthConfiguration(
                instanceId: Bundle.main.bundleIdentifier!,
                baseEndpointUrl: "\(url)",
                configuration: "\(configuration)")
            let powerAuth = PowerAuthSDK(configuration: configuration)
            """)
    }

    private static func kotlin(_ sdk: String, _ url: String, _ configuration: String) -> Setup.Snippet {
        let client: (String, String) =
            url.hasPrefix("https:")
            ? ("", "")
            : (
                "val clientConfiguration = PowerAuthClientConfiguration.Builder().allowUnsecuredConnection(true).build()\n",
                "\n    .clientConfiguration(clientConfiguration)"
            )
        return .init(
            "\(sdk), Kotlin",
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
