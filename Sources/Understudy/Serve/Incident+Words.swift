import HTTP
import HTTPServer

/// What the journal tells of clients that were turned away before they had said a request.
extension Incident {
    var event: String {
        switch self {
        case .notTrusted: "https not trusted"
        case .plainOnTLS: "http on a port that takes only https"
        case .tlsOnPlain: "https on the http port"
        case .memoryFull: "no memory for a request"
        case .connectionsFull: "too many connections"
        case .noRequest: "not an HTTP request"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\((bytes + (1 << 20) - 1) >> 20) MiB"
    }

    var explanation: String {
        switch self {
        case .notTrusted(let peer, let alert):
            "\(peer.address) ended the TLS handshake at port\(peer.place) with the alert “\(alert)”"
                + (alert.isAboutTrust
                    ? ", because it does not trust the certificate: understudy ca trust and the console's page /ca show how to trust that of --tls auto."
                    : ".")
        case .plainOnTLS(let peer):
            "\(peer.address) spoke http to port\(peer.place), which takes only https: use https:// in the URL, or start without --tls-only. It was answered with 400."
        case .tlsOnPlain(let peer):
            "\(peer.address) spoke https to the http port\(peer.place): use http:// in the URL, or start with --tls auto. It was answered with a TLS alert."
        case .memoryFull(let peer, let needed, let most) where needed > most:
            "A request from \(peer.address) needs \(Self.size(needed)), more than the \(Self.size(most)) of --body-memory that all requests, "
                + "answers and mails share, so that it was answered with 413. It is a quarter of the memory that the system allows the program, "
                + "unless it is set: send less at once, or give the program more."
        case .memoryFull(let peer, let needed, let most):
            "A request from \(peer.address) needs \(Self.size(needed)), but requests, answers and mails take up the \(Self.size(most)) "
                + "of --body-memory, so that it was answered with 503. Send fewer large ones at once, or raise the limit."
        case .connectionsFull(let peer, let most):
            "All \(most) connections are in use, so that another one from \(peer.address) was answered with 503 or closed. Close "
                + "idle connections, reuse them, or allow more with --max-connections."
        case .noRequest(let peer, let fault):
            "What \(peer.address) sent\(peer.isSecure ? " over TLS" : "") was answered with \(fault.status.code), before any world or platform was "
                + "known: \(fault.reason)."
        }
    }
}

extension String {
    /// Whether an alert is one with which clients refuse a certificate. Source: RFC 8446 §6.2.
    fileprivate var isAboutTrust: Bool {
        ["unknown ca", "certificate unknown", "bad certificate"].contains { contains($0) }
    }
}

extension Request.Peer {
    /// ` 8420 of 127.0.0.1`; nothing for a Unix socket.
    fileprivate var place: String {
        guard let localAuthority, let colon = localAuthority.lastIndex(of: ":") else { return "" }
        return " " + localAuthority[localAuthority.index(after: colon)...]
    }
}
