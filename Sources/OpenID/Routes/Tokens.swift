extension AuthorizationServer {
    /// What a client calls: tokens, introspection, revocation, user info, device authorization.
    static func tokenEndpoints(_ paths: EndpointPaths) -> [Endpoint] { [] }
}
