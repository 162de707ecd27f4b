import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /api/config/oidc`: how an app starts at an OpenID Connect provider, before it is registered.
    ///
    /// - Request: encrypted for the application: `{"providerId"}`, bare or in `requestObject`.
    /// - Response: `200`, encrypted envelope with `providerId`, `clientId`, `scopes`, `authorizeUri`, `redirectUri`, `pkceEnabled`.
    /// - Errors: 400 `APPLICATION_CONFIGURATION_ERROR`, `INVALID_REQUEST`, and those of encryption.
    /// - Source: Mobile Token documentation, “Configuration”.
    func showOpenIDProvider(_ request: Request) throws -> Response {
        try change { turn in
            try open(request, .application, in: turn) { opened in
                let id = try Members(decrypted: opened.plaintext).filledText("providerId")
                let provider = try provider(id, of: opened.application)
                var answer: [String: JSONValue] = [
                    "providerId": .string(provider.providerId), "clientId": .string(provider.clientId),
                    "redirectUri": .string(OpenIDProvider.seen(provider.redirectUri, request)),
                    "pkceEnabled": .boolean(provider.pkceEnabled ?? false),
                ]
                answer["scopes"] = provider.scopes.map(JSONValue.string)
                answer["authorizeUri"] = provider.authorizeUri.map {
                    .string(OpenIDProvider.seen($0, request))
                }
                return try sealed(
                    ["status": "OK", "responseObject": .object(answer)], answering: opened)
            }
        }
    }

    private func provider(_ id: String, of application: Application) throws -> OpenIDProvider {
        let providers = try application.providers.list()
        if let provider = providers.first(where: { $0.providerId == id }) { return provider }
        let known = providers.map(\.providerId).joined(separator: ", ")
        throw TokenAPIRefusal(
            .configurationMissing,
            "The application \(application.id) has no OpenID Connect provider “\(id.prefix(60))”; known are: "
                + "\(known.isEmpty ? "none" : known).")
    }
}
