import Sockets

extension ClientError {
    static func connecting(_ url: ClientURL, _ error: any Error, seconds: Double) -> ClientError {
        guard let error = error as? SocketError else { return .cannotConnect(url.place, "\(error)") }
        return switch error.reason {
        case .timedOut: .timedOut(url.place, seconds: seconds)
        case .tls: .notTrusted(url.place, error.words(to: url))
        default: .cannotConnect(url.place, error.words(to: url))
        }
    }

    static func talking(_ url: ClientURL, _ error: any Error, seconds: Double) -> ClientError {
        guard let error = error as? SocketError else { return .connectionLost(url.place, "\(error)") }
        return error.reason == .timedOut
            ? .timedOut(url.place, seconds: seconds) : .connectionLost(url.place, error.words(to: url))
    }
}

extension SocketError {
    /// The message without the host before it, which our sentence has named already.
    fileprivate func words(to url: ClientURL) -> String {
        for prefix in ["\(url.host):\(url.port): ", "\(url.host): "] where message.hasPrefix(prefix) {
            return String(message.dropFirst(prefix.count))
        }
        return message
    }
}
