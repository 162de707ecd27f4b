import Essentials
import HTTP
import SQLite

extension PowerAuth {
    /// Finds out whose activation it shall be. Never inside of a transaction: it may ask an OpenID Connect provider.
    func identify(_ wish: ActivationWish, _ request: Request) throws -> ActivationIdentity {
        switch wish.type {
        case .code:
            return .code(try attribute("code", of: wish))
        case .recovery:
            return .recovery(
                code: try attribute("recoveryCode", of: wish), puk: try attribute("puk", of: wish),
                ActivationTerms())
        case .direct where wish.attributes["method"] == "oidc":
            return .user(try userOfProvider(wish, request), ActivationTerms())
        case .direct, .custom:
            let commits = try database.read { db in try world.settings(in: db).commitsCustomActivations }
            return .user(try customUser(wish), ActivationTerms(isCommitted: commits))
        }
    }

    func attribute(_ name: String, of wish: ActivationWish) throws -> String {
        guard let value = wish.attributes[name], !value.isEmpty else {
            throw MobileRefusal(
                .activation,
                "The activation is of type \(wish.type.rawValue): identityAttributes.\(name) is missing.")
        }
        return value
    }

    /// A customer's server has logic of its own here; this one takes the attributes at their word.
    private func customUser(_ wish: ActivationWish) throws -> String {
        let names = ["userId", "username", "login", "email"]
        guard let user = names.compactMap({ wish.attributes[$0] }).first(where: { !$0.isEmpty }) else {
            throw MobileRefusal(
                .activation,
                "An activation of type \(wish.type.rawValue) takes its user from the first of "
                    + names.joined(separator: ", ") + " in identityAttributes; found "
                    + wish.attributes.keys.sorted().joined(separator: ", ") + ".")
        }
        guard user.count <= 255 else {
            throw MobileRefusal(
                .activation, "The user has \(user.count) characters in its id, at most 255 are allowed.")
        }
        return user
    }
}
