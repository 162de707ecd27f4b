/// Finds the route for a request. One value serves the whole process and holds no state of any world.
///
/// A pattern is a path whose segments are literal or `:name`; a literal wins over a name, also where that is found out only
/// segments later. A last segment `*name` takes the rest of the path, slashes included. Segments are percent-decoded before they
/// are compared, and compare exactly: `/users/` is not `/users`. `HEAD` finds the route of `GET` where it has none of its own.
package struct Router<Scope>: Sendable {
    package typealias Handler = @Sendable (Scope, Request) throws -> Response
    /// Answers a request that no route fits; the error says why.
    package typealias Fallback = @Sendable (Scope, Request, RouteUnknown) throws -> Response

    private struct Entry: Sendable {
        let handler: Handler
        let names: [String]
        let bodyLimit: Int?
    }

    /// The routes of one path, by method.
    private typealias Entries = [Request.Method: Entry]

    private struct Node: Sendable {
        var literals: [String: Node] = [:]
        /// At most one: the node behind `:name`, whatever the name.
        var named: [Node] = []
        var entries: Entries = [:]
        /// Routes whose pattern ends in `*name` here.
        var rest: Entries = [:]
        var fallback: Fallback?
    }

    private struct Match {
        var entry: Entry?
        var values: [String] = []
        var allowed: Set<Request.Method> = []
    }

    private var root = Node()
    /// Routes without names by their whole path: one look-up finds what the walk through the tree would find first.
    private var literal: [String: Entries] = [:]

    package init() {}

    /// - Parameter bodyLimit: bytes of body that this route accepts, where it differs from the server's own limit.
    package mutating func add(
        _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
    ) {
        let path = pattern.segments
        let names = path.filter { $0.hasPrefix(":") || $0.hasPrefix("*") }.map { String($0.dropFirst()) }
        let entry = Entry(handler: handler, names: names, bodyLimit: bodyLimit)
        if names.isEmpty { literal[pattern, default: [:]][method] = entry }
        insert(entry, method, path[...], at: &root)
    }

    /// Answers every request at or under the literal path `prefix` that no route fits; the longest such prefix wins.
    package mutating func fallback(_ prefix: String, _ handler: @escaping Fallback) {
        setFallback(handler, prefix.segments.filter { !$0.isEmpty }[...], at: &root)
    }

    /// - Throws: whatever the handler throws; ``RouteUnknown`` when neither a route nor a fallback fits.
    package func respond(to request: Request, in scope: Scope) throws -> Response {
        let match = match(request.method, request.path)
        guard let entry = match.entry else {
            let unknown = RouteUnknown(method: request.method, path: request.path, allowed: match.allowed)
            guard let fallback = fallback(for: request.path) else { throw unknown }
            return try fallback(scope, request, unknown)
        }
        if entry.names.isEmpty { return try entry.handler(scope, request) }
        var request = request
        request.parameters = zip(entry.names, match.values).map { ($0, $1) }
        return try entry.handler(scope, request)
    }

    /// Bytes of body that the route for `method` and `path` accepts, or `nil` where it sets no limit of its own.
    package func bodyLimit(_ method: Request.Method, _ path: String) -> Int? {
        match(method, path).entry?.bodyLimit
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

    private func match(_ method: Request.Method, _ path: String) -> Match {
        var match = Match()
        if let entries = literal[path] { take(entries, method, into: &match) }
        if match.entry == nil { find(path.afterSlash, method, at: root, into: &match) }
        return match
    }

    /// Leaves the entry in `match`, or else the methods that the path would have allowed.
    ///
    /// - Parameter path: what is left of it, without the slash before; `nil` behind the last segment.
    private func find(_ path: Substring?, _ method: Request.Method, at node: Node, into match: inout Match) {
        guard let path else { return take(node.entries, method, into: &match) }
        let (raw, rest) = path.cutAtSlash
        let segment = raw.percentDecoded
        if let next = node.literals[segment] {
            find(rest, method, at: next, into: &match)
            if match.entry != nil { return }
        }
        if let next = node.named.first, !segment.isEmpty {
            match.values.append(segment)
            find(rest, method, at: next, into: &match)
            if match.entry != nil { return }
            match.values.removeLast()
        }
        if node.rest.isEmpty { return }
        take(node.rest, method, into: &match)
        if match.entry != nil { match.values.append(path.percentDecoded) }
    }

    private func take(_ entries: Entries, _ method: Request.Method, into match: inout Match) {
        match.entry = entries[method] ?? (method == .head ? entries[.get] : nil)
        if match.entry != nil { return }
        match.allowed.formUnion(entries.keys)
        if entries[.get] != nil { match.allowed.insert(.head) }
    }

    private func fallback(for path: String) -> Fallback? {
        var node = root
        var fallback = root.fallback
        var rest: Substring? = path.afterSlash
        while let (segment, next) = rest?.cutAtSlash, let child = node.literals[segment.percentDecoded] {
            node = child
            rest = next
            fallback = child.fallback ?? fallback
        }
        return fallback
    }
}

extension String {
    /// The path without its first slash.
    fileprivate var afterSlash: Substring {
        utf8.first == UInt8(ascii: "/") ? Substring(utf8.dropFirst()) : self[...]
    }

    /// The segments of a pattern; `/` has one, and it is empty.
    fileprivate var segments: [String] {
        afterSlash.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }
}

extension Substring {
    /// The first segment, and what follows the slash behind it.
    fileprivate var cutAtSlash: (segment: Substring, rest: Substring?) {
        guard let slash = utf8.firstIndex(of: UInt8(ascii: "/")) else { return (self, nil) }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }
}
