import Essentials
import HTTP
import HTTPClient
import PlatformKit
import Platforms

/// The control API of a running server, as the commands use it.
struct ControlAPI: Sendable {
    /// `http://localhost:8420`
    let server: String
    let world: String
    let token: String?
    private let timeout: Double

    /// - Throws: ``UsageError`` for an address that cannot be one.
    init(_ invocation: Invocation, _ terminal: Terminal, timeout: Double = 10) throws {
        let url = try Self.server(invocation, terminal.environment)
        try Self.refusePlatform(in: url, invocation)
        let (server, inPath) = Self.parts(of: url)
        self.server = server
        world = try Self.world(invocation, inPath: inPath)
        token = invocation.text(.controlToken)
        self.timeout = timeout
    }

    private init(_ api: ControlAPI, world: String) {
        (server, token, timeout) = (api.server, api.token, api.timeout)
        self.world = world
    }

    /// That of another world of the same server.
    func inside(_ world: String) -> ControlAPI { ControlAPI(self, world: world) }

    private static let defaultWorld = "default"

    /// A base URL of a world, such as `http://localhost:8420/w/blue`, is the server's and the world.
    private static func parts(of url: String) -> (server: String, world: String?) {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 4, parts[parts.count - 2] == "w", let name = parts.last, !name.isEmpty else {
            return (url, nil)
        }
        return (parts.dropLast(2).joined(separator: "/"), String(name))
    }

    /// Base paths that a proxy may well put before the server itself.
    private static let plainWords: Set = ["app", "api"]

    /// Of a platform's base URL, such as `http://localhost:8420/w/blue/hanko`, which apps are given.
    private static func refusePlatform(in url: String, _ invocation: Invocation) throws {
        guard let own = beforePlatform(in: url, but: plainWords) else { return }
        let source = invocation.given[Option.url.name]?.source ?? "--url"
        throw UsageError(
            "\(source) is \(url), the address of a platform, which is for apps; commands take the server's: \(own)"
        )
    }

    /// What stands before the base path of a platform; nil where an address has none.
    private static func beforePlatform(in url: String, but others: Set<String> = []) -> String? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard
            let place = parts.dropFirst(3).firstIndex(where: { part in
                Platforms.mountPaths.contains(String(part)) && !others.contains(String(part))
            })
        else { return nil }
        // A world may have such a name.
        return parts[place - 1] == "w" && place == parts.count - 1
            ? nil : parts[..<place].joined(separator: "/")
    }

    /// The command line counts more than the environment; where the two ways to name a world are equals, they must not differ.
    private static func world(_ invocation: Invocation, inPath: String?) throws -> String {
        guard let named = invocation.text(.world) else { return inPath ?? defaultWorld }
        guard let inPath, inPath != named else { return named }
        func source(_ option: Option) -> String { invocation.given[option.name]?.source ?? "" }
        let (world, url) = (source(.world), source(.url))
        guard world.hasPrefix("--") == url.hasPrefix("--") else {
            return world.hasPrefix("--") ? named : inPath
        }
        throw UsageError(
            "\(world) names the world “\(named)”, but the path of \(url) the world “\(inPath)”; leave one of them out"
        )
    }

    /// Which world a message is about, where that is not the default one: ` in the world blue`.
    var place: String { world == Self.defaultWorld ? "" : " in the world \(world)" }

    /// What was given, or else where `serve` would listen with this environment: a container's health check needs no
    /// options.
    private static func server(_ invocation: Invocation, _ environment: [String: String]) throws -> String {
        guard let text = invocation.text(.url) else {
            let port = environment[Option.port.environmentName].flatMap { Int($0) } ?? 8420
            let isSecure = !(environment[Option.tls.environmentName] ?? "").isEmpty
            return "\(isSecure ? "https" : "http")://localhost:\(port)"
        }
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
            throw invocation.refusal(of: .url, "a URL such as http://localhost:8420")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// - Parameters:
    ///   - path: below `/_understudy/v1`, beginning with a slash; parts of it that come from the user encoded.
    ///   - query: values that are nil are left out.
    ///   - waiting: seconds that the server may take beyond the usual.
    /// - Throws: ``Failure`` when there is no answer, or none that means success.
    func call(
        _ method: Request.Method, _ path: String, query: [(String, String?)] = [], json: [UInt8]? = nil,
        waiting: Double = 0
    ) throws -> ClientResponse {
        let response = try answer(method, path, query: query, json: json, waiting: waiting)
        if (200..<300).contains(response.status.code) { return response }
        throw refusal(response, "\(method.rawValue) \(path)")
    }

    /// The same with a body that is no JSON.
    func call(_ method: Request.Method, _ path: String, bytes: [UInt8], as type: String) throws
        -> ClientResponse
    {
        var headers: Headers = ["Accept": "application/json", "Content-Type": type]
        if let token { headers["Authorization"] = "Bearer " + token }
        let response = try send(method, base + "/_understudy/v1" + path, headers: headers, body: bytes)
        if (200..<300).contains(response.status.code) { return response }
        throw refusal(response, "\(method.rawValue) \(path)")
    }

    /// The answer, whatever its status.
    func answer(
        _ method: Request.Method, _ path: String, query: [(String, String?)] = [], json: [UInt8]? = nil,
        waiting: Double = 0
    ) throws -> ClientResponse {
        let items = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        let url =
            base + "/_understudy/v1" + path + (items.isEmpty ? "" : "?") + items.joined(separator: "&")
        var headers: Headers = ["Accept": "application/json"]
        if let token { headers["Authorization"] = "Bearer " + token }
        if json != nil { headers["Content-Type"] = "application/json" }
        return try send(method, url, headers: headers, body: json ?? [], waiting: waiting)
    }

    /// Base URL of the world, without a slash at its end.
    var base: String { server + (world == Self.defaultWorld ? "" : "/w/" + world.percentEncoded) }

    /// A request to the server as it is, without the token.
    ///
    /// - Throws: ``Failure`` when there is no answer.
    func send(
        _ method: Request.Method, _ url: String, headers: Headers, body: [UInt8] = [], waiting: Double = 0
    ) throws -> ClientResponse {
        // A development certificate of this machine's own server proves nothing and need not.
        let client = HTTPClient(timeout: timeout + waiting, trust: isLocal ? .anything : .system)
        do {
            return try client.send(method, url, headers: headers, body: body)
        } catch {
            throw Failure(explain(error))
        }
    }

    /// The answer's body. - Throws: ``Failure`` when it has another shape, as from another program at this address.
    func read<Output: Decodable>(_: Output.Type, _ response: ClientResponse) throws -> Output {
        do {
            return try response.json(Output.self)
        } catch {
            throw Failure("the answer makes no sense; is it Understudy that runs at \(server)?")
        }
    }

    private var isLocal: Bool {
        let authority = server.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
        if authority.hasPrefix("[") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
        let host = authority.prefix { $0 != ":" }
        return host == "localhost" || host.hasSuffix(".localhost")
            || host.hasPrefix("127.") && HostName.isIPv4(String(host))
    }

    private func explain(_ error: ClientError) -> String {
        switch error {
        case .cannotConnect(_, let reason):
            "nothing answers at \(server): \(reason); is `understudy serve` running?"
        case .timedOut(_, let seconds): "no answer from \(server) in \(Int(saturating: seconds, .up)) s"
        case .malformedAnswer(_, let reason): "the server at \(server) does not speak HTTP: \(reason)"
        case .notTrusted where speaksPlainHTTP:
            "\(server) speaks plain HTTP, not HTTPS; give --url http://\(server.dropFirst(8)), or start it with --tls auto"
        default: "\(error)"
        }
    }

    /// Whether it answers where its address says `https`: nobody needs to read the words of a TLS library then.
    private var speaksPlainHTTP: Bool {
        // A server of ours with TLS answers both: what failed there is something else.
        guard server.hasPrefix("https://"), isLocal else { return false }
        let plain = "http://" + server.dropFirst(8) + "/_understudy/v1/ready"
        return (try? HTTPClient(timeout: 1).send(.get, plain, headers: [:])) != nil
    }

    func refusal(_ response: ClientResponse, _ what: String) -> Failure {
        let status = response.status
        // Not every answer comes from us, and not every one has a detail.
        if let problem = try? response.json(Problem.self), let detail = problem.detail {
            let hint = status == .unauthorized || status == .forbidden && token == nil ? tokenHint : ""
            return Failure((world == Self.defaultWorld ? "" : "world \(world): ") + detail + hint)
        }
        let meant = Self.beforePlatform(in: server).map {
            ", or is that a platform's address, and \($0) the server's"
        }
        return Failure(
            "\(what) was answered with \(status.code) \(status.reason); is it Understudy that runs at \(server)\(meant ?? "")?"
        )
    }

    private var tokenHint: String { " Give --control-token or set \(Option.controlToken.environmentName)." }

    /// Source: RFC 9457.
    private struct Problem: Decodable {
        let detail: String?
    }
}
