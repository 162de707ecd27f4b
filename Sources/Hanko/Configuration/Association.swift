import PlatformKit
import WebAuthn

/// What the domain of the relying party says of native apps and of other sites. A member that is left out is a file that is not served.
struct Association: ConfigurationSection {
    struct AndroidApp: Decodable, Sendable, Equatable {
        let packageName: String
        /// SHA-256 of the signing certificates in hexadecimal, as `keytool` prints them.
        let fingerprints: [String]
        /// Those that passkeys need when left out.
        let relations: [String]?
        /// Which links it opens; all of them when left out.
        let paths: [String]?

        enum CodingKeys: String, CodingKey {
            case packageName = "package_name"
            case fingerprints = "sha256_cert_fingerprints"
            case relations, paths
        }
    }

    /// `"ABCDE12345.com.example.app"`, or `{"app_id": "ABCDE12345.com.example.app", "paths": ["/callback/*"]}`.
    struct AppleApp: Decodable, Sendable, Equatable {
        let id: String
        /// Which links it opens; none when left out.
        let paths: [String]?
        let isObject: Bool

        enum CodingKeys: String, CodingKey {
            case id = "app_id"
            case paths
        }

        init(from decoder: any Decoder) throws {
            if let id = try? decoder.singleValueContainer().decode(String.self) {
                (self.id, paths, isObject) = (id, nil, false)
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            id = try members.decode(String.self, forKey: .id)
            paths = try members.decodeIfPresent([String].self, forKey: .paths)
            isObject = true
        }
    }

    var android: [AndroidApp]?
    var apple: [AppleApp]?
    /// Web sites that share passwords and passkeys with this domain on Android: `https://www.example.com`.
    var web: [String]?
    var relatedOrigins: [String]?

    static let members: [ConfigurationMember<Self>] = [
        .optional("android", \.android), .optional("apple", \.apple), .optional("web", \.web),
        .optional("related_origins", \.relatedOrigins),
    ]
}

extension Association {
    /// Those of Android apps, with the place of their fingerprint.
    var appOrigins: [(path: [String], origin: String)] {
        (android ?? []).enumerated().flatMap { index, app in
            app.fingerprints.enumerated().compactMap { number, fingerprint in
                AndroidOrigin.origin(fingerprint: fingerprint).map {
                    (["android", String(index), "sha256_cert_fingerprints", String(number)], $0)
                }
            }
        }
    }

    /// Refuses what no client would make sense of.
    func check() throws {
        for (index, app) in (android ?? []).enumerated() {
            let path = ["android", String(index)]
            guard app.packageName.wholeMatch(of: /[A-Za-z]\w*(\.[A-Za-z]\w*)+/) != nil else {
                throw FixtureProblem(
                    at: path + ["package_name"],
                    "expected the name of a package such as “com.example.app”, found “\(app.packageName)”"
                )
            }
            for (number, text) in app.fingerprints.enumerated()
            where AndroidOrigin.origin(fingerprint: text) == nil {
                throw FixtureProblem(
                    at: path + ["sha256_cert_fingerprints", String(number)],
                    "expected a SHA-256 fingerprint, 32 bytes in hexadecimal with or without colons, found “\(text)”"
                )
            }
            try Self.check(paths: app.paths, at: path)
        }
        for (index, app) in (apple ?? []).enumerated() {
            let path = ["apple", String(index)]
            guard app.id.wholeMatch(of: /[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*/) != nil else {
                throw FixtureProblem(
                    at: path + (app.isObject ? ["app_id"] : []),
                    "expected a team and a bundle such as “ABCDE12345.com.example.app”, found “\(app.id)”")
            }
            try Self.check(paths: app.paths, at: path)
        }
        for (member, origins) in [("web", web), ("related_origins", relatedOrigins)] {
            try Self.check(
                origins, member, "an origin such as “https://example.com”",
                /https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?/)
        }
    }

    private static func check(paths: [String]?, at path: [String]) throws {
        for (index, text) in (paths ?? []).enumerated() where AssociationFiles.LinkPath(text) == nil {
            throw FixtureProblem(
                at: path + ["paths", String(index)],
                "expected a path such as “/callback/*” or “NOT /callback/web”, found “\(text)”")
        }
    }

    private static func check<Output>(
        _ texts: [String]?, _ member: String, _ expected: String, _ form: Regex<Output>
    ) throws {
        for (index, text) in (texts ?? []).enumerated() where text.wholeMatch(of: form) == nil {
            throw FixtureProblem(at: [member, String(index)], "expected \(expected), found “\(text)”")
        }
    }
}
