import Essentials

/// One request, whole: head and body.
///
/// It is handed from the connection through dispatcher and router to a handler, and copied on the way. So what the client sent, and what
/// the dispatcher knows about it, are shared between the copies; to change a part of them makes the whole anew, which few do.
package struct Request: Sendable {
    /// A method token. Any token can come from the wire; the router knows those that its routes name.
    package struct Method: Sendable, Hashable, RawRepresentable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let get = Method(rawValue: "GET")
        package static let head = Method(rawValue: "HEAD")
        package static let post = Method(rawValue: "POST")
        package static let put = Method(rawValue: "PUT")
        package static let patch = Method(rawValue: "PATCH")
        package static let delete = Method(rawValue: "DELETE")
        package static let options = Method(rawValue: "OPTIONS")
    }

    /// Who sent a request, as the socket knows it. All requests of a connection share it.
    package struct Peer: Sendable, Equatable {
        private struct Ends: Sendable, Equatable {
            let address: String
            let localAuthority: String?
            let door: String?
        }

        private let ends: Shared<Ends>
        package let isLoopback: Bool
        /// Whether it speaks TLS, as the server finds out by its first byte.
        package var isSecure: Bool

        package init(
            address: String, isLoopback: Bool, isSecure: Bool, localAuthority: String? = nil,
            door: String? = nil
        ) {
            ends = Shared(Ends(address: address, localAuthority: localAuthority, door: door))
            self.isLoopback = isLoopback
            self.isSecure = isSecure
        }

        /// Numeric address such as `127.0.0.1` or `::1`; `unix` for a Unix socket.
        package var address: String { ends.value.address }
        /// Address and port of ours that it reached, such as `127.0.0.1:8420`; `nil` where there are none.
        package var localAuthority: String? { ends.value.localAuthority }
        /// Which of the server's doors it came by, where it has some beside the main one: `app`; `nil` for that.
        package var door: String? { ends.value.door }

        /// A caller in the same process, such as a test without a socket.
        package static let local = Peer(address: "127.0.0.1", isLoopback: true, isSecure: false)
    }

    /// The path as it came, percent-encoding untouched, always starting with `/`. The dispatcher strips mount
    /// prefixes from it; ``mount`` keeps what was stripped.
    package var path: String
    package var parameters: [(name: String, value: String)] = []
    private var message: Shared<Message>
    private var surroundings = Shared<Context>.none

    package init(
        _ method: Method, _ path: String, query: String? = nil, headers: Headers = [:], body: [UInt8] = [],
        peer: Peer = .local, isHTTP10: Bool = false, fault: WireFault? = nil
    ) {
        self.path = path
        message = Shared(
            Message(
                method: method, target: query.map { path + "?" + $0 } ?? path, query: query, headers: headers,
                body: body, peer: peer, isHTTP10: isHTTP10, fault: fault))
    }
}

/// What the client sent.
extension Request {
    struct Message: Sendable {
        var method: Method
        let target: String
        var query: String?
        var headers: Headers
        var body: [UInt8]
        var peer: Peer
        let isHTTP10: Bool
        var fault: WireFault?
    }

    package var method: Method {
        get { message.value.method }
        set { message = message.changed(\.method, to: newValue) }
    }

    /// Path and query as the client sent them, whatever the dispatcher stripped from ``path``.
    package var target: String { message.value.target }

    /// What followed the first `?`, percent-encoding untouched; `nil` when there was none.
    package var query: String? {
        get { message.value.query }
        set { message = message.changed(\.query, to: newValue) }
    }

    package var headers: Headers {
        get { message.value.headers }
        set { message = message.changed(\.headers, to: newValue) }
    }

    package var body: [UInt8] {
        get { message.value.body }
        set { message = message.changed(\.body, to: newValue) }
    }

    package var peer: Peer {
        get { message.value.peer }
        set { message = message.changed(\.peer, to: newValue) }
    }

    /// A client of HTTP/1.0, which knows no chunks and no upgrade.
    package var isHTTP10: Bool { message.value.isHTTP10 }

    /// Why its body was not taken, such as one beyond the limit. What it asks for is not done; it is there so that the refusal can be
    /// in the shape that its client knows.
    package var fault: WireFault? {
        get { message.value.fault }
        set { message = message.changed(\.fault, to: newValue) }
    }
}

/// What the dispatcher knows about a request: what addresses look like to its client, and what it is called.
extension Request {
    package struct Context: Sendable {
        /// Scheme and authority under which the client reached us, such as `http://localhost:8420`: what the cookies and pages of this
        /// client are for.
        package var askedOrigin = "http://localhost"
        /// Scheme and authority in what we hand out: those of `--public-url`, or else ``askedOrigin``.
        package var origin = "http://localhost"
        /// The prefix that stands between ``askedOrigin`` and the platform's own paths, such as `/w/blue/hanko`; empty when the
        /// platform lives at the root of a host name. What a proxy took away is part of it.
        package var mount = ""
        /// What a proxy took away from the front of the path, such as `/idp`; empty mostly.
        package var prefix = ""
        /// What a platform prefixes to its own paths where `--public-url` says so; nil without.
        package var publicBaseURL: String?
        /// Whether ``Request/backChannelURL`` is the public one too.
        package var fixesBackChannel = false
        /// Where every platform of this request's world is reached by its path, such as `http://localhost:8420/w/blue`; without a
        /// slash at the end.
        package var worldURL = "http://localhost"
        /// Where the server itself calls the platforms of this request's world. Unlike ``worldURL`` it does not follow the `Host` field,
        /// which is the client's word and could lead elsewhere. The two are the same where nothing but TLS is taken with a certificate of
        /// the user's own, which is for the name and tells who answers.
        package var ownURL = "http://localhost"
        /// Whether each platform also stands at a host name below that of ``worldURL``, such as `hanko.localhost`.
        package var namesPlatforms = false
        /// Ports at whose root a platform or a world stands, by what they are called: `app`, `blue/hanko`, `blue`.
        package var doors: [String: Int] = [:]
        /// Names the request in the journal and in `X-Request-Id`.
        package var id = ""

        /// Of a request that no dispatcher has looked at.
        package init() {}

        package init(
            askedOrigin: String, origin: String, mount: String, prefix: String, publicBaseURL: String?,
            fixesBackChannel: Bool, worldURL: String, ownURL: String, namesPlatforms: Bool,
            doors: [String: Int], id: String
        ) {
            (self.askedOrigin, self.origin) = (askedOrigin, origin)
            (self.mount, self.prefix, self.publicBaseURL) = (mount, prefix, publicBaseURL)
            self.fixesBackChannel = fixesBackChannel
            (self.worldURL, self.ownURL) = (worldURL, ownURL)
            (self.namesPlatforms, self.doors, self.id) = (namesPlatforms, doors, id)
        }
    }

    package var context: Context {
        get { surroundings.value }
        set { surroundings = Shared(newValue) }
    }

    package var askedOrigin: String { surroundings.value.askedOrigin }
    package var origin: String { surroundings.value.origin }
    package var mount: String { surroundings.value.mount }
    package var prefix: String { surroundings.value.prefix }
    package var publicBaseURL: String? { surroundings.value.publicBaseURL }
    package var worldURL: String { surroundings.value.worldURL }
    package var ownURL: String { surroundings.value.ownURL }
    package var namesPlatforms: Bool { surroundings.value.namesPlatforms }
    package var doors: [String: Int] { surroundings.value.doors }
    package var id: String { surroundings.value.id }

    /// What a platform prefixes to its own paths in every URL that it hands out to people and browsers.
    package var baseURL: String { publicBaseURL ?? origin + mount }

    /// The same in a URL that a back end calls: at the host that it asked, whose name it can resolve.
    package var backChannelURL: String {
        surroundings.value.fixesBackChannel ? baseURL : askedOrigin + mount
    }
}

extension Shared<Request.Context> {
    /// Before the dispatcher has looked.
    fileprivate static let none = Shared(Request.Context())
}

extension Request {
    /// The percent-decoded value of `:name` in the route pattern; empty for a name that the pattern lacks.
    package func parameter(_ name: String) -> String {
        assert(parameters.contains { $0.name == name }, "no :\(name) in the route")
        return parameters.first { $0.name == name }?.value ?? ""
    }

    /// - Throws: ``RequestMalformed`` when the body is not the expected JSON.
    package func json<Input: Decodable>(_: Input.Type) throws -> Input {
        do {
            try JSONText.check(body)
            return try JSONDecoder().decode(Input.self, from: Data(body))
        } catch let error as DecodingError {
            throw RequestMalformed(reason: "The body is not the expected JSON: \(error.sentence).")
        }
    }
}

/// The request cannot be understood. A platform answers it in its own error shape.
package struct RequestMalformed: Error {
    /// A sentence for the developer.
    package let reason: String
    package init(reason: String) { self.reason = reason }
}

extension DecodingError {
    /// Where and why, in a few words.
    package var sentence: String {
        switch self {
        case .typeMismatch(let type, let context): "\(context.place) must be \(jsonName(of: type))"
        case .valueNotFound(let type, let context): "\(context.place) is null, expected \(jsonName(of: type))"
        case .keyNotFound(let key, let context): "\(context.place) lacks the member “\(key.stringValue)”"
        case .dataCorrupted(let context): "\(context.place) is malformed: \(context.words)"
        @unknown default: "it does not fit"
        }
    }

    private func jsonName(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type, is UInt.Type, is UInt32.Type: "a whole number"
        case is Double.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }
}

extension DecodingError.Context {
    /// Without a full stop at the end: it goes into a sentence.
    fileprivate var words: String {
        String(debugDescription.hasSuffix(".") ? debugDescription.dropLast() : debugDescription[...])
    }

    fileprivate var place: String {
        codingPath.isEmpty
            ? "the document"
            : "“" + codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
                + "”"
    }
}
