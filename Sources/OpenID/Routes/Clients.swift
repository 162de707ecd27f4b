extension AuthorizationServer {
    /// Registration of clients, pushed requests.
    static func clientEndpoints(_ paths: EndpointPaths) -> [Endpoint] { [] }
}
