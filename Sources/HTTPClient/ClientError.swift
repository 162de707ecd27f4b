/// Why there is no answer. A status of 400 or more is an answer.
package enum ClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL, and what is wrong with it.
    case malformedURL(String, String)
    /// Something in the request cannot be sent.
    case malformedRequest(String)
    /// Host and port, and the reason.
    case cannotConnect(String, String)
    /// TLS could not be agreed on, or the server did not prove who it is.
    case notTrusted(String, String)
    case timedOut(String, seconds: Double)
    /// The connection broke before the answer was whole.
    case connectionLost(String, String)
    case malformedAnswer(String, String)
    case tooManyRedirects(String)

    package var description: String {
        switch self {
        case .malformedURL(let url, let reason): "“\(url)” is not a URL that can be called: \(reason)"
        case .malformedRequest(let reason): "the request cannot be sent: \(reason)"
        case .cannotConnect(let place, let reason): "cannot connect to \(place): \(reason)"
        case .notTrusted(let place, let reason): "no TLS connection to \(place): \(reason)"
        case .timedOut(let place, let seconds):
            "timed out: no whole answer from \(place) after \(Self.text(seconds)) s"
        case .connectionLost(let place, let reason): "lost the connection to \(place): \(reason)"
        case .malformedAnswer(let place, let reason): "cannot understand the answer of \(place): \(reason)"
        case .tooManyRedirects(let url): "gave up at \(url): too many redirects"
        }
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
    }
}
