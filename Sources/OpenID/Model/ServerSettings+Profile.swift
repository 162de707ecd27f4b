// What the profile demands; each setting beside it has the last word.
extension ServerSettings {
    var isFAPI: Bool { profile != nil }

    package var offersDPoP: Bool { dpop ?? isFAPI }
    package var demandsDPoPNonce: Bool { dpopNonce ?? false }
    /// Source: FAPI 2.0 Security Profile §5.3.2.1, sender-constrained access tokens.
    var demandsDPoP: Bool { isFAPI && offersDPoP }

    package var offersImplicitGrant: Bool { implicitGrant ?? false }
    package var offersRequestObjects: Bool { requestObjects ?? (isFAPI || demandsSignedRequests) }
    var demandsSignedRequests: Bool { requireSignedRequestObject ?? (profile == .fapi2MessageSigning) }
    /// Whether request objects say for whom they are, from when on and until when. Source: FAPI 2.0 Message Signing §5.3.1.
    var demandsTimesInRequests: Bool { isFAPI || demandsSignedRequests }

    var demandsPush: Bool { requirePushedAuthorizationRequests ?? isFAPI }
    var isStrictAboutAudience: Bool { strictAudience ?? isFAPI }

    var pkceDemand: PKCEDemand? { pkce ?? (isFAPI ? .s256 : nil) }
    var challengeMethods: [String] { pkceDemand == .s256 ? ["S256"] : ["S256", "plain"] }

    /// Source: FAPI 2.0 Security Profile §5.3.2.1; mutual TLS is not emulated.
    var clientMethods: [ClientAuthenticationMethod] {
        isFAPI ? [.privateKeyJWT] : ClientAuthenticationMethod.allCases
    }

    /// Source: FAPI 2.0 Security Profile §5.4.1; EdDSA is not emulated.
    static let fapiAlgorithms = ["PS256", "ES256"]

    var assertionAlgorithms: [String] { among(AuthorizationServer.assertionAlgorithms) }
    var requestObjectAlgorithms: [String] { among(AuthorizationServer.requestObjectAlgorithms) }
    var proofAlgorithms: [String] { among(DPoPRules.algorithms) }

    private func among(_ algorithms: [String]) -> [String] {
        isFAPI ? algorithms.filter(Self.fapiAlgorithms.contains) : algorithms
    }

    /// Seconds. Source: FAPI 2.0 Security Profile §5.3.2.1.
    func codeSeconds(of client: Client) -> Int { isFAPI ? min(client.codeSeconds, 60) : client.codeSeconds }
    /// Whether each use of a refresh token brings the next one. Source: FAPI 2.0 Security Profile §5.3.2.1.
    var rotatesRefreshTokens: Bool { !isFAPI }
    /// Source: FAPI 2.0 Security Profile §5.3.2.1.
    var tokenGrants: [String] {
        GrantType.atTokenEndpoint.filter { !isFAPI || $0 != GrantType.password }
    }
}
