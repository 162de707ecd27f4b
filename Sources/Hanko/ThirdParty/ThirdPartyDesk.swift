import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Who asks to sign in with a provider, and what for.
struct ThirdPartyOrder: Sendable {
    let provider: ThirdPartyProvider
    /// Where the provider sends the browser back to.
    let redirectURI: String
    let redirectTo: String
    /// Of PKCE; the client must bring it again to trade the token.
    var codeVerifier: String?
    var isFlow = false
    /// The signed-in user whose account the provider's shall be connected to.
    var userID: String?
}

extension Hanko {
    func thirdPartyDesk() throws -> ThirdPartyDesk {
        ThirdPartyDesk(
            services: services, rules: try configuration().thirdParty,
            isNext: try generation() == .next)
    }
}

/// Sign-in with accounts of others, for the classic endpoints and for flows.
struct ThirdPartyDesk: Sendable {
    static let cookieName = "hanko_thirdparty_state"

    let services: Services
    let rules: ThirdPartyRules
    /// Whether redirect URLs are checked as after 3.x.
    let isNext: Bool

    /// Checks what came from the client, without asking anybody.
    ///
    /// - Throws: ``ThirdPartyRefusal``.
    func order(provider id: String?, redirectTo: String?, _ request: Request) throws -> ThirdPartyOrder {
        guard let id, !id.isEmpty else { throw ThirdPartyRefusal.providerMissing }
        guard let redirectTo = redirectTo.flatMap({ $0.isEmpty ? nil : $0 }) ?? rules.defaultRedirectURL
        else { throw ThirdPartyRefusal.redirectMissing }
        let length = redirectTo.utf8.count
        guard length <= ThirdPartyState.redirectLimit else {
            throw ThirdPartyRefusal.redirectTooLong(bytes: length)
        }
        guard rules.allows(redirect: redirectTo) else {
            throw ThirdPartyRefusal.redirectRefused(redirectTo, allowed: rules.allowedPatterns)
        }
        if let fault = rules.boundaryFault(ofRedirect: redirectTo) {
            guard !isNext else { throw ThirdPartyRefusal.redirectUnbounded(redirectTo, fault.words) }
            services.journal.event(
                "refused by the next version",
                "The redirect URL “\(redirectTo.prefix(200))” fits a pattern, and Hanko after 3.x refuses it: \(fault.words). The profile "
                    + "next does so here.")
        }
        return ThirdPartyOrder(
            provider: try rules.enabledProvider(id), redirectURI: redirectURI(request),
            redirectTo: redirectTo)
    }

    /// Where the provider's sign-in page is. Waits for the network: never inside of a transaction.
    ///
    /// - Throws: ``ThirdPartyRefusal/pageUnknown(_:)``.
    func page(of order: ThirdPartyOrder, _ request: Request) throws -> String {
        do {
            let settings = order.provider.settings(request, redirectURI: order.redirectURI)
            let endpoint = try ProviderClient(settings, web: services.web).authorizationEndpoint()
            return order.provider.page(endpoint, request)
        } catch let refusal as ProviderRefusal {
            throw ThirdPartyRefusal.pageUnknown(refusal.explanation)
        }
    }

    /// Remembers a sign-in, inside of a transaction.
    ///
    /// - Parameter page: see ``page(of:_:)``.
    /// - Returns: where to send the browser, and the state that its cookie must carry.
    func start(
        _ order: ThirdPartyOrder, page: String, in db: Connection
    ) throws -> (url: String, state: String) {
        let entropy = services.entropy
        let state = ThirdPartyState(
            state: Base64URL.encode(entropy.bytes(32, "hanko.thirdparty.state")),
            provider: order.provider.id, redirectTo: order.redirectTo,
            nonce: Base64URL.encode(entropy.bytes(16, "hanko.thirdparty.nonce")), isFlow: order.isFlow,
            userID: order.userID, codeVerifier: order.codeVerifier,
            expiresAt: services.clock.now().addingTimeInterval(ThirdPartyState.lifespanSeconds))
        for subject in state.subjects { services.journal.concern(subject) }
        try db.insert(state)
        var parameters = [
            (name: "response_type", value: "code"), ("client_id", order.provider.clientID),
            ("redirect_uri", order.redirectURI),
            ("scope", order.provider.scopes.joined(separator: " ")), ("state", state.state),
            ("nonce", state.nonce),
        ]
        if let prompt = order.provider.prompt { parameters.append(("prompt", prompt)) }
        if !order.provider.acrValues.isEmpty {
            parameters.append(("acr_values", order.provider.acrValues.joined(separator: " ")))
        }
        if let verifier = order.codeVerifier {
            // RFC 7636 §4.2
            let challenge = Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
            parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        return (page + (page.contains("?") ? "&" : "?") + Form.encode(parameters), state.state)
    }

    /// Value of `Set-Cookie` that binds a sign-in to the browser.
    func cookie(_ state: String, isFlow: Bool) -> String {
        "\(Self.cookieName)=\(state); Path=/; Max-Age=\(Int(ThirdPartyState.lifespanSeconds)); HttpOnly; Secure; "
            + "SameSite=\(isFlow ? "None" : "Lax")"
    }

    /// Where providers send the browser back to.
    private func redirectURI(_ request: Request) -> String {
        rules.redirectURL ?? request.baseURL + "/thirdparty/callback"
    }

    /// Trades the provider's code for the user's account there. Waits for the network.
    ///
    /// - Throws: ``ThirdPartyRefusal``.
    func account(
        _ code: String, _ state: ThirdPartyState, _ provider: ThirdPartyProvider, _ request: Request
    ) throws -> ThirdPartyAccount {
        let settings = provider.settings(request, redirectURI: redirectURI(request))
        let login = ProviderLogin(code: code, nonce: state.nonce, codeVerifier: state.codeVerifier)
        do {
            let user = try ProviderClient(settings, web: services.web)
                .describedUser(login, at: services.clock.now())
            return ThirdPartyAccount(user, provider)
        } catch let refusal as ProviderRefusal {
            throw refusal.isOfUser
                ? ThirdPartyRefusal.userDataMissing(refusal.explanation)
                : .exchangeFailed(refusal.explanation)
        }
    }
}
