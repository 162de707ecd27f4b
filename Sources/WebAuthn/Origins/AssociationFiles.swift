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

        /// - Parameter relations: those that passkeys need when left out.
        package init(package: String, fingerprints: [String], relations: [String]? = nil) {
            (self.package, self.fingerprints) = (package, fingerprints)
            self.relations =
                relations ?? [
                    "delegate_permission/common.handle_all_urls",
                    "delegate_permission/common.get_login_creds",
                ]
        }
    }

    /// `/.well-known/assetlinks.json`. Source: Google Digital Asset Links.
    package static func assetLinks(_ apps: [AndroidApp]) -> JSONValue {
        .array(
            apps.map { app in
                [
                    "relation": JSONValue(app.relations),
                    "target": [
                        "namespace": "android_app", "package_name": .string(app.package),
                        "sha256_cert_fingerprints": JSONValue(app.fingerprints),
                    ],
                ]
            })
    }

    /// `/.well-known/apple-app-site-association`. Source: Apple, “Supporting associated domains”.
    ///
    /// - Parameter apps: such as `TEAMID1234.com.example.app`.
    package static func appleAppSite(_ apps: [String]) -> JSONValue {
        ["webcredentials": ["apps": JSONValue(apps)]]
    }

    /// `/.well-known/webauthn`. Source: Web Authentication Level 3 §5.11.
    package static func relatedOrigins(_ origins: [String]) -> JSONValue {
        ["origins": JSONValue(origins)]
    }
}
