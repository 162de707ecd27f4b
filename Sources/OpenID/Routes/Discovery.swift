extension AuthorizationServer {
    /// Metadata and keys.
    static func discoveryEndpoints(_ paths: EndpointPaths) -> [Endpoint] { [] }
}
