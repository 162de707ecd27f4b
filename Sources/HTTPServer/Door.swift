package import Sockets

/// A place to listen at whose requests are told apart by ``HTTP/Request/Peer/door``.
package struct Door: Sendable, Equatable {
    package let name: String
    package let address: ListenAddress

    package init(_ name: String, at address: ListenAddress) { (self.name, self.address) = (name, address) }
}
