package import HTTP

/// What a client was turned away for before it had said a request, so that no handler hears of it.
package enum Incident: Sendable, Equatable {
    /// A request came without TLS where TLS is spoken.
    case plainOnTLS(Request.Peer)
    /// A client ended the handshake, with the words of its alert.
    case notTrusted(Request.Peer, alert: String)
    /// TLS came where it is not spoken.
    case tlsOnPlain(Request.Peer)
    /// A request or an answer needs so many bytes that are not there: see ``Limits/bodyMemory``.
    case memoryFull(Request.Peer, needed: Int, most: Int)
    /// As many connections are open as may be: ``Limits/connections``.
    case connectionsFull(Request.Peer, most: Int)
    /// What came is no request, or goes beyond a limit of heads.
    case noRequest(Request.Peer, WireFault)
}
