package import HTTPClient

/// What all services have in common: bounds, and connections that are used again.
package struct UpstreamMeans: Sendable {
    /// Requests that wait for a service.
    let gate: UpstreamGate
    /// Web sockets that are open to one.
    let tunnels: UpstreamGate
    let kept: KeptConnections
    let mask: ClientWebSocket.Mask

    package init(
        gate: UpstreamGate, tunnels: UpstreamGate, kept: KeptConnections, mask: ClientWebSocket.Mask
    ) {
        (self.gate, self.tunnels, self.kept, self.mask) = (gate, tunnels, kept, mask)
    }
}
