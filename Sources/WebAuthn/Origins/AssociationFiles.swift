package import Essentials

/// What a domain serves so that native apps and other sites may use its relying party id. Each is `application/json`, with status 200
/// and without a redirect.
package enum AssociationFiles {
    /// An app for Android.
    package struct AndroidApp: Sendable {
        /// Such as `com.example.app`.
        package let package: String
        /// SHA-256 of the signing certificates, in upper-case hexadecimal with colons.
        package let fingerprints: [String]
        package let relations: [String]
        /// Which links it opens; all of them without a word.
        package let paths: [LinkPath]?

        /// - Parameter relations: those that passkeys need when left out.
        package init(
            package: String, fingerprints: [String], relations: [String]? = nil, paths: [LinkPath]? = nil
        ) {
            (self.package, self.fingerprints, self.paths) = (package, fingerprints, paths)
            self.relations = relations ?? [AssociationFiles.links, AssociationFiles.credentials]
        }
    }

    /// An app for iOS or macOS.
    package struct AppleApp: Sendable {
        /// Team and bundle: `TEAMID1234.com.example.app`.
        package let id: String
        /// Which links it opens; none without a word.
        package let paths: [LinkPath]?

        package init(_ id: String, paths: [LinkPath]? = nil) { (self.id, self.paths) = (id, paths) }
    }

    /// Paths whose links open an app, or do not: `/callback/*`, `NOT /callback/web`; `*` and `?` stand for any text and any character.
    package struct LinkPath: Sendable, Equatable {
        package let pattern: String
        package let isExcluded: Bool

        package init?(_ text: String) {
            isExcluded = text.hasPrefix("NOT ")
            pattern = isExcluded ? String(text.dropFirst(4)) : text
            guard pattern.hasPrefix("/") || pattern == "*" else { return nil }
        }

        var text: String { isExcluded ? "NOT " + pattern : pattern }

        var component: JSONValue {
            isExcluded ? ["/": .string(pattern), "exclude": true] : ["/": .string(pattern)]
        }
    }

    private static let links = "delegate_permission/common.handle_all_urls"
    private static let credentials = "delegate_permission/common.get_login_creds"

    /// `/.well-known/assetlinks.json`. Sources: Google Digital Asset Links; Android developers, “Dynamic App Links” for the paths of an app.
    ///
    /// - Parameter sites: web sites that share credentials with this one, such as `https://www.example.com`.
    package static func assetLinks(_ apps: [AndroidApp], sites: [String] = []) -> JSONValue {
        .array(
            apps.map(statement)
                + sites.map { site in
                    [
                        "relation": [.string(credentials)],
                        "target": ["namespace": "web", "site": .string(site)],
                    ]
                })
    }

    private static func statement(_ app: AndroidApp) -> JSONValue {
        var statement: [String: JSONValue] = [
            "relation": JSONValue(app.relations),
            "target": [
                "namespace": "android_app", "package_name": .string(app.package),
                "sha256_cert_fingerprints": JSONValue(app.fingerprints),
            ],
        ]
        if let paths = app.paths {
            statement["relation_extensions"] = [
                links: ["dynamic_app_link_components": .array(paths.map(\.component))]
            ]
        }
        return .object(statement)
    }

    /// `/.well-known/apple-app-site-association`. Source: Apple, “Supporting associated domains”; `apps`, `appID` and `paths` are for iOS
    /// 12 and older.
    package static func appleAppSite(_ apps: [AppleApp]) -> JSONValue {
        let details = apps.compactMap { app in
            app.paths.map { paths -> JSONValue in
                [
                    "appIDs": [.string(app.id)], "components": .array(paths.map(\.component)),
                    "appID": .string(app.id), "paths": JSONValue(paths.map(\.text)),
                ]
            }
        }
        var file: [String: JSONValue] = ["webcredentials": ["apps": JSONValue(apps.map(\.id))]]
        if !details.isEmpty { file["applinks"] = ["apps": [], "details": .array(details)] }
        return .object(file)
    }

    /// `/.well-known/webauthn`. Source: Web Authentication Level 3 §5.11.
    package static func relatedOrigins(_ origins: [String]) -> JSONValue {
        ["origins": JSONValue(origins)]
    }
}
