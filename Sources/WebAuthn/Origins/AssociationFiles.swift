package import Essentials

/// What a domain serves so that native apps and other sites may use its relying party id. Each is `application/json`, with status 200
/// and without a redirect.
package enum AssociationFiles {
    /// `/.well-known/assetlinks.json`. Source: Google Digital Asset Links.
    ///
    /// - Parameter apps: package names and fingerprints of SHA-256 in upper-case hexadecimal with colons.
    package static func assetLinks(_ apps: [(package: String, fingerprints: [String])]) -> JSONValue {
        .array(
            apps.map { app in
                [
                    "relation": JSONValue([
                        "delegate_permission/common.handle_all_urls",
                        "delegate_permission/common.get_login_creds",
                    ]),
                    "target": [
                        "namespace": "android_app", "package_name": .string(app.package),
                        "sha256_cert_fingerprints": JSONValue(app.fingerprints),
                    ],
                ]
            })
    }

    /// `/.well-known/apple-app-site-association`. Source: Apple, «Supporting associated domains».
    ///
    /// - Parameter apps: such as `TEAMID1234.com.example.app`.
    package static func appleAppSite(_ apps: [String]) -> JSONValue {
        ["webcredentials": ["apps": JSONValue(apps)]]
    }

    /// `/.well-known/webauthn`. Source: Web Authentication Level 3 §5.11.
    package static func relatedOrigins(_ relyingParty: RelyingParty) -> JSONValue {
        ["origins": JSONValue(relyingParty.relatedOrigins)]
    }
}
