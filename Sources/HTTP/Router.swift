/// Finds the route for a request. One value serves the whole process and holds no state of any world.
///
/// A pattern is a path whose segments are literal or `:name`; a literal wins over a name. A last segment `*name` takes the
/// rest of the path, slashes included. Paths compare exactly: `/users/` is not `/users`. `HEAD` finds the route of `GET`
/// where it has none of its own.
package struct Router<Scope>: Sendable {
    package typealias Handler = @Sendable (Scope, Request) throws -> Response
    /// Answers a request that no route fits; the error says why.
    package typealias Fallback = @Sendable (Scope, Request, RouteUnknown) throws -> Response

    private struct Entry: Sendable {
        let handler: Handler
        let names: [String]
        let bodyLimit: Int?
    }

    private struct Node: Sendable {
        var literals: [String: Node] = [:]
        /// At most one: the node behind `:name`, whatever the name.
        var named: [Node] = []
        var entries: [Request.Method: Entry] = [:]
        /// Routes whose pattern ends in `*name` here.
        var rest: [Request.Method: Entry] = [:]
        var fallback: Fallback?
    }

    private struct Match {
        var entry: Entry?
        var values: [String] = []
        var allowed: Set<Request.Method> = []
    }

    private var root = Node()

    package init() {}

    /// - Parameter bodyLimit: bytes of body that this route accepts, where it differs from the server's own limit.
    package mutating func add(
        _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
    ) {
        let path = segments(of: pattern)
        let names = path.filter { $0.hasPrefix(":") || $0.hasPrefix("*") }.map { String($0.dropFirst()) }
        insert(
            Entry(handler: handler, names: names, bodyLimit: bodyLimit), method, path.map(String.init)[...],
            at: &root)
    }

    /// Answers every request under the literal path `prefix` that no route fits; the longest such prefix wins.
    package mutating func fallback(_ prefix: String, _ handler: @escaping Fallback) {
        setFallback(handler, segments(of: prefix).map(String.init)[...], at: &root)
    }

    /// - Throws: whatever the handler throws; ``RouteUnknown`` when neither a route nor a fallback fits.
    package func respond(to request: Request, in scope: Scope) throws -> Response {
        let path = segments(of: request.path)
        var match = Match()
        find(path[...], request.method, at: root, into: &match)
        guard let entry = match.entry else {
            let unknown = RouteUnknown(method: request.method, path: request.path, allowed: match.allowed)
            guard let fallback = fallback(for: path) else { throw unknown }
            return try fallback(scope, request, unknown)
        }
        var request = request
        request.parameters = zip(entry.names, match.values).map { ($0, $1) }
        return try entry.handler(scope, request)
    }

    /// Bytes of body that the route for `method` and `path` accepts, or `nil` where it sets no limit of its own.
    package func bodyLimit(_ method: Request.Method, _ path: String) -> Int? {
        var match = Match()
        find(segments(of: path)[...], method, at: root, into: &match)
        return match.entry?.bodyLimit
    }

    private func insert(
        _ entry: Entry, _ method: Request.Method, _ path: ArraySlice<String>, at node: inout Node
    ) {
        guard let segment = path.first else { return node.entries[method] = entry }
        if segment.hasPrefix("*") {
            node.rest[method] = entry
        } else if segment.hasPrefix(":") {
            if node.named.isEmpty { node.named.append(Node()) }
            insert(entry, method, path.dropFirst(), at: &node.named[0])
        } else {
            insert(entry, method, path.dropFirst(), at: &node.literals[segment, default: Node()])
        }
    }

    private func setFallback(_ handler: @escaping Fallback, _ path: ArraySlice<String>, at node: inout Node) {
        guard let segment = path.first else { return node.fallback = handler }
        setFallback(handler, path.dropFirst(), at: &node.literals[segment, default: Node()])
    }

    /// Leaves the entry in `match`, or else the methods that the path would have allowed.
    private func find(
        _ path: ArraySlice<Substring>, _ method: Request.Method, at node: Node, into match: inout Match
    ) {
        guard let segment = path.first else { return take(node.entries, method, into: &match) }
        if let next = node.literals[decoded(segment)] {
            find(path.dropFirst(), method, at: next, into: &match)
            if match.entry != nil { return }
        }
        if let next = node.named.first, !segment.isEmpty {
            match.values.append(decoded(segment))
            find(path.dropFirst(), method, at: next, into: &match)
            if match.entry != nil { return }
            match.values.removeLast()
        }
        if !node.rest.isEmpty {
            take(node.rest, method, into: &match)
            if match.entry != nil { match.values.append(path.map(decoded).joined(separator: "/")) }
        }
    }

    private func take(_ entries: [Request.Method: Entry], _ method: Request.Method, into match: inout Match) {
        match.entry = entries[method] ?? (method == .head ? entries[.get] : nil)
        if match.entry == nil { match.allowed.formUnion(entries.keys) }
    }

    private func fallback(for path: [Substring]) -> Fallback? {
        var node = root
        var fallback = root.fallback
        for segment in path {
            guard let next = node.literals[String(segment)] else { break }
            node = next
            fallback = next.fallback ?? fallback
        }
        return fallback
    }

    private func segments(of path: String) -> [Substring] {
        path == "/" ? [] : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    private func decoded(_ segment: Substring) -> String {
        guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
        return String(decoding: percentDecoded(Array(segment.utf8)), as: UTF8.self)
    }
}

/// No route fits the request.
package struct RouteUnknown: Error {
    package let method: Request.Method
    package let path: String
    /// The methods that the path does know; empty when the path itself is unknown.
    package let allowed: Set<Request.Method>

    package init(method: Request.Method, path: String, allowed: Set<Request.Method> = []) {
        self.method = method
        self.path = path
        self.allowed = allowed
    }

    /// 405 when the path exists under another method, else 404.
    package var status: Status { allowed.isEmpty ? .notFound : .methodNotAllowed }
}
