import Essentials
package import HTTP

extension ServerProfile {
    /// What a client meant that asked for a path below the base path `home` which no route has.
    ///
    /// - Returns: a sentence in ASCII; nil for a path that nobody means.
    package func hint(for unknown: RouteUnknown, below home: String) -> String? {
        guard unknown.allowed.isEmpty, unknown.path.hasPrefix(home + "/"), unknown.path.utf8.count <= 512
        else { return nil }
        let path = unknown.path.dropFirst(home.utf8.count)
        if let document = Self.documentPaths.first(where: { path.hasPrefix($0 + "/") }),
            path.dropFirst(document.utf8.count) != "/jwks"
        {
            return
                "The client takes the address of the metadata document for the issuer: the issuer is the part before /.well-known/, and "
                + "clients append \(document) themselves (OpenID Connect Discovery 1.0, section 4)."
        }
        let word = path.split(separator: "/").last.map { String($0) } ?? ""
        guard let (member, paths) = endpoint(called: word.asciiLowercased), let own = paths.first else {
            return nil
        }
        return "This server has that at \(home)\(own); clients find it as \(member) in its metadata."
    }

    /// What other servers call their endpoints, by the last word of the path.
    private func endpoint(called word: String) -> (member: String, paths: [String])? {
        switch word {
        case "jwks.json", "jwks", "certs", "keys", "jwk": ("jwks_uri", paths.keys)
        case "authorize", "auth", "authorization": ("authorization_endpoint", paths.authorization)
        case "token", "tokens", "access_token": ("token_endpoint", paths.token)
        case "userinfo": ("userinfo_endpoint", paths.userinfo)
        case "logout", "endsession", "end_session": ("end_session_endpoint", paths.logout)
        case "introspect", "introspection": ("introspection_endpoint", paths.introspection)
        case "revoke", "revocation": ("revocation_endpoint", paths.revocation)
        case "register", "registration": ("registration_endpoint", paths.registration)
        case "par": ("pushed_authorization_request_endpoint", paths.pushedRequest)
        case "device_authorization", "deviceauthorization":
            ("device_authorization_endpoint", paths.deviceAuthorization)
        default: nil
        }
    }
}
