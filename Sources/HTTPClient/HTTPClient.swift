import Essentials
package import HTTP
import Sockets
import Synchronization

/// Sends requests and waits for their answers. Each has a connection of its own, or one of those that are kept.
///
/// A class for the settings of TLS, which are made at their first use and shared after it.
package final class HTTPClient: Sendable {
    /// Which servers a client believes, over TLS.
    package enum Trust: Sendable {
        case system
        /// The system's authorities, and those in this PEM file.
        case authorities(file: String)
        /// The system's authorities, and those of this PEM text.
        case certificates(pem: String)
        /// Any certificate: for development servers, never for secrets that matter.
        case anything
    }

    let timeout: Double
    private let bodyBytes: Int
    private let redirects: Int
    private let trust: Trust
    private let kept: KeptConnections?
    private let tls = Mutex<TLSContext?>(nil)

    /// - Parameters:
    ///   - timeout: seconds from the call to the end of the answer.
    ///   - bodyBytes: bytes of body that an answer may have; a stream may have any number.
    ///   - redirects: how many may be followed; otherwise a redirect is an answer like any other.
    ///   - kept: connections that may be used again; without them, each request has a new one.
    package init(
        timeout: Double = 10, bodyBytes: Int = 64 * 1024 * 1024, redirects: Int = 0, trust: Trust = .system,
        kept: KeptConnections? = nil
    ) {
        (self.timeout, self.bodyBytes, self.redirects, self.trust) = (timeout, bodyBytes, redirects, trust)
        self.kept = kept
    }

    /// - Parameters:
    ///   - url: `http` or `https`; `localhost` and `*.localhost` are this machine.
    ///   - headers: `Host` may be given; `Content-Length` and `Connection` are added.
    package func send(
        _ method: Request.Method, _ url: String, headers: Headers = [:], body: [UInt8] = []
    ) throws(ClientError) -> ClientResponse {
        let deadline = Deadline(seconds: timeout)
        var call = Call(method: method, url: try ClientURL(url), headers: headers, body: body)
        for _ in 0...redirects {
            let (exchange, head) = try begin(call, bodyBytes: bodyBytes, until: deadline)
            if redirects > 0, let next = try call.following(head) {
                call = next
                continue
            }
            return ClientResponse(
                status: head.status, headers: head.headers, body: try exchange.body(until: deadline))
        }
        throw .tooManyRedirects(call.url.origin + call.url.target)
    }

    /// Sends a request and waits for the head of its answer. No redirect is followed.
    package func stream(
        _ method: Request.Method, _ url: String, headers: Headers = [:], body: [UInt8] = []
    ) throws(ClientError) -> ResponseStream {
        let deadline = Deadline(seconds: timeout)
        let call = Call(method: method, url: try ClientURL(url), headers: headers, body: body)
        let (exchange, head) = try begin(call, bodyBytes: .max, until: deadline)
        return ResponseStream(exchange, head)
    }

    /// Scheme, host and port of a URL that can be called, in lower case and without a standard port. Nil for any other text.
    /// Source: RFC 9110 §4.3.1, §4.3.2; RFC 3986 §6.2.2.1.
    package static func origin(of url: String) -> String? {
        // Why a text is no URL is said to whoever calls it.
        (try? ClientURL(url))?.origin.asciiLowercased
    }

    /// Sends a call and waits for the head of its answer.
    private func begin(_ call: Call, bodyBytes: Int, until deadline: Deadline) throws(ClientError) -> (
        Exchange, ResponseHead
    ) {
        let request = try call.bytes(kept == nil ? .closes : .staysOpen)
        let parser = ResponseParser(answering: call.method, bodyBytes: bodyBytes)
        let tls = try context(for: call, until: deadline)
        let keeper = kept.map { kept in
            Line.Keeper(
                kept: kept,
                place: KeptConnections.Place(
                    host: call.url.host, port: call.url.port, tls: tls.map { ObjectIdentifier($0) }))
        }
        let patience = call.method.isIdempotent ? .infinity : KeptConnections.secondsForOnce
        if let line = keeper?.line(within: patience) {
            let exchange = try Exchange(line, to: call.url, sending: request, parser: parser, until: deadline)
            do {
                return (exchange, try exchange.head(until: deadline))
            } catch {
                guard exchange.mayBeRepeated(call.method, after: error) else { throw error }
            }
        }
        let line = Line(
            socket: try connect(call.url, tls, until: deadline), isUsed: false, keeper: keeper)
        let exchange = try Exchange(line, to: call.url, sending: request, parser: parser, until: deadline)
        return (exchange, try exchange.head(until: deadline))
    }

    func connect(_ url: ClientURL, _ tls: TLSContext?, until deadline: Deadline) throws(ClientError)
        -> ClientSocket
    {
        do {
            return try ClientSocket.connect(
                host: url.host, port: url.port, timeout: deadline.left, tls: tls)
        } catch {
            throw .connecting(url, error, seconds: deadline.seconds)
        }
    }

    /// Nil without TLS.
    func context(for call: Call, until deadline: Deadline) throws(ClientError) -> TLSContext? {
        do {
            return call.url.isSecure ? try context() : nil
        } catch {
            throw .connecting(call.url, error, seconds: deadline.seconds)
        }
    }

    private func context() throws -> TLSContext {
        try tls.withLock { shared in
            if let shared { return shared }
            let new =
                switch trust {
                case .system: try TLSContext(verifies: true)
                case .authorities(let file): try TLSContext(verifies: true, authorities: file)
                case .certificates(let pem): try TLSContext(verifies: true, pem: pem)
                case .anything: try TLSContext(verifies: false)
                }
            shared = new
            return new
        }
    }
}

/// An answer whose body is read as it arrives, such as server-sent events. Used by one thread at a time.
package final class ResponseStream {
    package let status: Status
    package let headers: Headers
    private let exchange: Exchange

    init(_ exchange: Exchange, _ head: ResponseHead) {
        self.exchange = exchange
        (status, headers) = (head.status, head.headers)
    }

    /// Waits for the next bytes of the body; `nil` when it has ended.
    ///
    /// - Parameter timeout: seconds for this wait alone. After ``ClientError/timedOut(_:seconds:)`` the stream can be read on.
    package func next(timeout: Double = .infinity) throws(ClientError) -> [UInt8]? {
        guard case .body(let piece) = try exchange.next(until: Deadline(seconds: timeout)) else { return nil }
        return piece
    }

    /// Closes the connection, as letting go of the stream does.
    package func close() { exchange.close() }
}
