import Essentials
import HTTP
package import PlatformKit
import WebAuthn

/// The files by which a domain lets native apps and other sites use its passkeys. They stand at the root of the server, where clients
/// look for them, and below the platform's own base path, which is the root of `hanko.localhost`.
extension Hanko: AnswersAtRoot {
    static let associationRoutes: [Route<Hanko>] = [
        .get("/.well-known/assetlinks.json", Hanko.assetLinks),
        .get("/.well-known/apple-app-site-association", Hanko.appleAppSite),
        .get("/.well-known/webauthn", Hanko.relatedOrigins),
    ]

    package static var hostRoutes: [Route<Hanko>] { associationRoutes }

    /// `GET /.well-known/assetlinks.json`: the Android apps that may use the passkeys of this domain.
    ///
    /// - Request: nothing beside the path.
    /// - Response: `200 [{"relation": […], "target": {"namespace": "android_app", …}}]`, with `relation_extensions` for an app's paths and
    ///   targets of the namespace `web`.
    /// - Errors: 404 when the fixtures have neither `hanko.association.android` nor `web`.
    /// - Source: Google Digital Asset Links; Android developers, “Add support for Digital Asset Links”.
    func assetLinks(_: Request) throws -> Response {
        let association = try association()
        guard association.android != nil || association.web != nil else {
            throw AssociationFileMissing(
                member: "android",
                example:
                    "[{\"package_name\": \"com.example.app\", \"sha256_cert_fingerprints\": [\"AB:CD:…\"]}]")
        }
        return try .hanko(
            AssociationFiles.assetLinks(
                (association.android ?? []).map { app in
                    AssociationFiles.AndroidApp(
                        package: app.packageName, fingerprints: app.fingerprints.map(Self.canonical),
                        relations: app.relations, paths: Self.paths(app.paths))
                }, sites: association.web ?? []))
    }

    /// `GET /.well-known/apple-app-site-association`: the apps of iOS and macOS that may use the passkeys of this domain.
    ///
    /// - Request: nothing beside the path.
    /// - Response: `200 {"webcredentials": {"apps": ["ABCDE12345.com.example.app"]}}`, with `applinks` where an app has paths.
    /// - Errors: 404 when `hanko.association.apple` is not in the fixtures.
    /// - Source: Apple, “Supporting associated domains”.
    func appleAppSite(_: Request) throws -> Response {
        guard let apps = try association().apple else {
            throw AssociationFileMissing(member: "apple", example: "[\"ABCDE12345.com.example.app\"]")
        }
        return try .hanko(
            AssociationFiles.appleAppSite(
                apps.map { AssociationFiles.AppleApp($0.id, paths: Self.paths($0.paths)) }))
    }

    /// `GET /.well-known/webauthn`: the web sites of other domains that may use the passkeys of this one.
    ///
    /// - Request: nothing beside the path.
    /// - Response: `200 {"origins": ["https://example.com"]}`.
    /// - Errors: 404 when `hanko.association.related_origins` is not in the fixtures.
    /// - Source: Web Authentication Level 3 §5.11.
    func relatedOrigins(_: Request) throws -> Response {
        guard let origins = try association().relatedOrigins else {
            throw AssociationFileMissing(member: "related_origins", example: "[\"https://example.com\"]")
        }
        return try .hanko(AssociationFiles.relatedOrigins(origins))
    }

    private func association() throws -> Association { try configuration().own.association }

    private static func paths(_ texts: [String]?) -> [AssociationFiles.LinkPath]? {
        texts?.compactMap(AssociationFiles.LinkPath.init)
    }

    /// Upper case with colons, the only form that Android takes.
    private static func canonical(_ fingerprint: String) -> String {
        AndroidOrigin.origin(fingerprint: fingerprint).flatMap(AndroidOrigin.fingerprint) ?? fingerprint
    }
}
