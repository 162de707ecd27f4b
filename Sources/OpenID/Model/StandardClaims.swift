import Essentials

/// What scopes say about claims, and the types of claims. Source: OpenID Connect Core 1.0 §5.1, §5.4.
enum StandardClaims {
    /// The claims that a scope lets a client see.
    static let byScope: [String: Set<String>] = [
        "profile": [
            "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
            "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
        ],
        "email": ["email", "email_verified"],
        "phone": ["phone_number", "phone_number_verified"],
        "address": ["address"],
    ]

    /// The claims with the types that the standard gives them, where they were written in another one.
    static func wellTyped(_ claims: [String: JSONValue]) -> [String: JSONValue] {
        var claims = claims
        for name in ["email_verified", "phone_number_verified"] {
            if let text = claims[name]?.string { claims[name] = .boolean(text == "true") }
        }
        if let text = claims["updated_at"]?.string { claims["updated_at"] = Int(text).map(JSONValue.integer) }
        if let text = claims["address"]?.string { claims["address"] = ["formatted": .string(text)] }
        return claims
    }
}
