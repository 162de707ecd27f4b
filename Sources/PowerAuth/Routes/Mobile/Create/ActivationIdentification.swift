import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite

/// Finds out whose activation it shall be. Never inside of a transaction: it may ask an OpenID Connect provider.
struct ActivationIdentification {
    let world: World
    let claim: ActivationClaim
    let request: Request

    func identity() throws -> ActivationIdentity {
        switch claim.type {
        case .code:
            return .code(try attribute("code"))
        case .recovery:
            return .recovery(
                code: try attribute("recoveryCode"), puk: try attribute("puk"),
                ActivationTerms())
        case .direct where claim.attributes["method"] == "oidc":
            return .user(try userOfProvider(), ActivationTerms())
        case .direct, .custom:
            let commits = try world.database.read { db in try world.settings(in: db).commitsCustomActivations
            }
            return .user(try customUser(), ActivationTerms(isCommitted: commits))
        }
    }

    private func attribute(_ name: String) throws -> String {
        guard let value = claim.attributes[name], !value.isEmpty else {
            throw MobileRefusal(
                .activation,
                "The activation is of type \(claim.type.rawValue): identityAttributes.\(name) is missing.")
        }
        return value
    }

    /// A customer's server has logic of its own here; this one takes the attributes at their word.
    private func customUser() throws -> String {
        let names = ["userId", "username", "login", "email"]
        guard let user = names.compactMap({ claim.attributes[$0] }).first(where: { !$0.isEmpty }) else {
            throw MobileRefusal(
                .activation,
                "An activation of type \(claim.type.rawValue) takes its user from the first of "
                    + names.joined(separator: ", ") + " in identityAttributes; found "
                    + claim.attributes.keys.sorted().joined(separator: ", ") + ".")
        }
        guard user.count <= 255 else {
            throw MobileRefusal(
                .activation, "The user has \(user.count) characters in its id, at most 255 are allowed.")
        }
        return user
    }
}

/// Activation by OpenID Connect: the app brings an authorization code, and we trade it at the provider for an ID token.
extension ActivationIdentification {
    /// - Returns: `sub`. Source: OpenID Connect Core §3.1.3.
    private func userOfProvider() throws -> String {
        let id = try attribute("providerId")
        let providers = try claim.application.providers.list()
        guard let provider = providers.first(where: { $0.providerId == id }) else {
            let known = providers.map(\.providerId).joined(separator: ", ")
            throw MobileRefusal(
                .activation,
                "The application \(claim.application.id) has no OpenID Connect provider “\(id.prefix(80))”"
                    + (known.isEmpty ? "; it has none." : ", only \(known)."))
        }
        let login = ProviderLogin(
            code: try attribute("code"), nonce: try attribute("nonce"),
            codeVerifier: claim.attributes["codeVerifier"])
        if let user = provider.fakeUser {
            world.services.journal.event(
                "oidc activation", about: user,
                "The provider \(id) has a fakeUser: it was not asked, and any authorization code means \(user)."
            )
            return user
        }
        do {
            return try ProviderClient(provider.settings(request), web: world.services.web).user(
                login, at: world.services.clock.now()
            ).subject
        } catch let refusal as ProviderRefusal {
            throw MobileRefusal(.activation, because: refusal)
        }
    }
}
