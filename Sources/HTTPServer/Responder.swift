package import HTTP

/// What a server asks for each request. Called on the server's threads; may wait.
package protocol Responder: Sendable {
    func respond(to request: Request) -> Response
    /// A request whose body was not taken.
    func refuse(_ request: Request, because fault: WireFault) -> Response
    /// Bytes of body that the route accepts, where it differs from ``Limits/bodyBytes``. Must not wait: the connection is
    /// locked meanwhile.
    func bodyLimit(_ method: Request.Method, _ path: String) -> Int?
}

extension Responder {
    package func refuse(_ request: Request, because fault: WireFault) -> Response {
        .text(fault.reason + "\n", status: fault.status)
    }
}
