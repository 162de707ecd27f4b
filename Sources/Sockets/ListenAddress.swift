/// Where a server is to listen.
package enum ListenAddress: Sendable, Equatable {
    /// `localhost` means 127.0.0.1 and, where the machine has it, ::1 on the same port. Port 0 is any free one.
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// Where a server does listen.
package enum BoundAddress: Sendable, Equatable {
    /// A numeric address and the real port.
    case tcp(host: String, port: Int)
    case unix(path: String)
}
