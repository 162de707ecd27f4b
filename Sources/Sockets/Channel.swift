/// A connected socket, with TLS on it or without.
package struct Channel: Sendable {
    package let socket: Socket
    package let tls: TLSSession?

    package init(socket: Socket, tls: TLSSession? = nil) {
        self.socket = socket
        self.tls = tls
    }

    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        tls?.receive(into: buffer) ?? socket.receive(into: buffer)
    }

    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        tls?.send(bytes) ?? socket.send(bytes)
    }

    /// Says to the peer that no more will come.
    package func endWriting() {
        tls?.endWriting()
        socket.endWriting()
    }

    package func close() { socket.close() }
}
