extension AuthorizationServer {
    /// What a browser is sent to: authorization, login, consent, user codes, logout.
    static func browserEndpoints(_ paths: EndpointPaths) -> [Endpoint] { [] }
}
