package import HTTP
import HTTPClient

/// Why a request was not passed on, or brought no answer.
package enum UpstreamFailure: Error, Sendable, Equatable {
    /// The service, and what the client of HTTP says of it.
    case unreachable(String, String)
    case timedOut(String, String)
    /// More bytes than are held while addresses are exchanged.
    case tooLong(String, Int)
    /// As many exchanges as there may be at once.
    case busy(String, Int)
    /// The answers that are held take as much memory as they may.
    case full(String)
    /// As many web sockets as may be open at once.
    case tooManySockets(String, Int)
    /// The request came from this program.
    case loop(String)
    case dotSegments(String)

    package var status: Status {
        switch self {
        case .unreachable, .tooLong, .loop: .badGateway
        case .timedOut: 504
        case .busy, .full, .tooManySockets: .serviceUnavailable
        case .dotSegments: .badRequest
        }
    }

    /// A sentence for the developer.
    package var detail: String {
        switch self {
        case .unreachable(let url, let reason), .timedOut(let url, let reason):
            "The upstream \(url) gave no answer: \(reason)."
        case .tooLong(let url, let bytes):
            "The answer of the upstream \(url) is a text of more than \(bytes) bytes, too long to exchange the addresses in it."
        case .busy(let url, let most):
            "\(most) requests wait for upstreams already, as many as may at once; the one to \(url) was not sent. Try again in a second."
        case .full(let url):
            "Answers of upstreams take up all the memory that there is for them at this moment; that of \(url) was dropped. Try again in a second."
        case .tooManySockets(let url, let most):
            "\(most) web sockets to upstreams are open already, as many as may be at once; the one to \(url) was not opened."
        case .loop(let url):
            "The upstream \(url) leads back to this program, which would pass the request on for ever; name the real service."
        case .dotSegments(let path):
            "The path \(path.prefix(100)) has segments “.” or “..”, which could lead out of the upstream's own path; it was not passed on."
        }
    }

    static func of(_ error: ClientError, _ url: String) -> UpstreamFailure {
        switch error {
        case .timedOut: .timedOut(url, "\(error)")
        default: .unreachable(url, "\(error)")
        }
    }
}
