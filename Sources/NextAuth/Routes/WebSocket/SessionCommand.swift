import Crypto

/// What a web page says on its WebSocket: `TYPE HSID SERVERID`. Source: Server SDK, “WebSocket”.
struct SessionCommand: Sendable, Equatable {
    enum Kind: String, Sendable {
        case register = "REGISTER"
        case provoke = "PROVOKE"
        case logOut = "LOGOUT"
    }

    let kind: Kind
    let session: WatchedSession

    /// Nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]), Base64URL.decode(parts[1])?.count == 32
        else { return nil }
        self.kind = kind
        session = WatchedSession(hsid: parts[1], server: Server.standardID(parts[2]))
    }
}

/// A session as the WebSocket names it.
struct WatchedSession: Sendable, Hashable {
    let hsid: String
    let server: String

    /// What is said of it.
    func message(_ kind: Signal.Kind) -> String { "\(kind.rawValue) \(hsid) \(Server.urlSafe(server))" }
}
