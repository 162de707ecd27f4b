import Sockets

extension RunningServer {
    /// Where this program calls itself without having been asked; nil when it listens on no port.
    static func ownOrigin(_ bound: [BoundAddress], _ settings: ServeSettings, _ tls: TLSSetup)
        -> String?
    {
        for case .tcp(let host, let port) in bound {
            let address = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
            let scheme = settings.takesTLSOnly ? "https" : "http"
            // A certificate of the user's own is for names.
            let name = settings.takesTLSOnly && tls.folder == nil ? "localhost" : address
            return "\(scheme)://\(name.contains(":") ? "[\(name)]" : name):\(port)"
        }
        return nil
    }
}
