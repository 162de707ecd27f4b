package import HTTP

/// What a server asks for each request. Called on the server's threads; may block its thread, but what waits for something that
/// happens here answers with ``Response/waiting(_:)`` and holds none.
package protocol Responder: Sendable {
    func respond(to request: Request) -> Response
    /// A request whose body was not taken.
    func refuse(_ request: Request, because fault: WireFault) -> Response
    /// Bytes of body that the route accepts, where it differs from ``Limits/bodyBytes``. Must not wait: the connection is
    /// locked meanwhile.
    func bodyLimit(_ method: Request.Method, _ path: String) -> Int?
    /// Is told of clients that were turned away without being asked for an answer.
    func note(_ incident: Incident)
}

extension Responder {
    package func note(_ incident: Incident) {}
}

extension Responder {
    package func refuse(_ request: Request, because fault: WireFault) -> Response {
        .text(fault.reason + "\n", status: fault.status)
    }
}
