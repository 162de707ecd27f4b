import Essentials
import OpenID

/// Which of a user's claims an access token lets its holder see.
enum UserDetails {
    /// Source: Token Server documentation, “scopes and claims”.
    private static let claims: [String: Set<String>] = [
        "profile": [
            "name", "family_name", "given_name", "nickname", "preferred_username", "gender", "birthdate",
            "locale",
        ],
        "email": ["email", "email_verified"],
        "phone": ["phone_number", "phone_number_verified"],
        "address": ["address"],
    ]

    /// Nothing without `openid`.
    static func released(_ all: [String: JSONValue], by scope: ScopeList) -> [String: JSONValue] {
        guard scope.contains(ScopeList.openID) else { return [:] }
        let names = scope.names.reduce(into: Set<String>()) { $0.formUnion(claims[$1] ?? []) }
        return all.filter { names.contains($0.key) }
    }
}
