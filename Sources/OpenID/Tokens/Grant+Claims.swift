import Essentials

extension Grant {
    /// The two places of the parameter `claims`. Source: OpenID Connect Core 1.0 §5.5.
    enum ClaimsPlace: String {
        case userinfo
        case idToken = "id_token"
    }

    /// What the client asked for by name; nil when it asked for nothing there. What it is asked for does not matter here: a
    /// voluntary claim and an essential one are given alike, when they are known.
    func wantedClaims(_ place: ClaimsPlace) -> [String: JSONValue]? {
        guard let wanted = claims?[place.rawValue]?.object, !wanted.isEmpty else { return nil }
        return wanted
    }
}

extension User {
    /// Those of the user's claims that were asked for and, where the client names values, have one of them.
    func claims(_ wanted: [String: JSONValue]) -> [String: JSONValue] {
        claims.filter { name, value in
            guard let wish = wanted[name] else { return false }
            if let expected = wish["value"] { return expected == value }
            return wish["values"]?.array?.contains(value) ?? true
        }
    }
}
