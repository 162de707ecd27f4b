import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit

/// Activation by OpenID Connect: the app brings an authorization code, and we trade it at the provider for an ID token.
extension PowerAuth {
    /// - Returns: `sub`. Source: OpenID Connect Core §3.1.3.
    func userOfProvider(_ wish: ActivationWish, _ request: Request) throws -> String {
        let id = try attribute("providerId", of: wish)
        let providers = try wish.application.providers.list()
        guard let provider = providers.first(where: { $0.providerId == id }) else {
            let known = providers.map(\.providerId).joined(separator: ", ")
            throw MobileRefusal(
                .activation,
                "The application \(wish.application.id) has no OpenID Connect provider «\(id.prefix(80))»"
                    + (known.isEmpty ? "; it has none at all." : ", only \(known)."))
        }
        let login = ProviderLogin(
            code: try attribute("code", of: wish), nonce: try attribute("nonce", of: wish),
            codeVerifier: wish.attributes["codeVerifier"])
        if let user = provider.fakeUser {
            services.journal.event(
                "oidc activation", about: user,
                "The provider \(id) has a fakeUser: nobody was asked, and any authorization code means \(user)."
            )
            return user
        }
        do {
            return try ProviderClient(provider.settings(request), web: services.web).user(
                login, at: services.clock.now()
            ).subject
        } catch let refusal as ProviderRefusal {
            throw MobileRefusal(.activation, because: refusal)
        }
    }
}
