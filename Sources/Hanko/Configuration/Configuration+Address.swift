import HTTP

extension Configuration {
    /// Of whoever sent the request.
    func address(of request: Request) -> String {
        own.generation == .next ? server.ip.address(of: request) : request.peer.address
    }
}
