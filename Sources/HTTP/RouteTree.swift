/// Finds the numbers of routes by method and path. It knows no handlers, so it is the same code for every router.
struct RouteTree: Sendable {
    struct Match {
        var route: Int?
        /// Percent-decoded, in the order of the pattern's names.
        var values: [String] = []
        /// The methods that the path would have allowed; complete where no route was found.
        var allowed: Set<Request.Method> = []
    }

    /// The routes of one path: a few, by method.
    private struct Entries: Sendable {
        var routes: [(method: Request.Method, number: Int)] = []

        var isEmpty: Bool { routes.isEmpty }

        subscript(method: Request.Method) -> Int? { routes.first { $0.method == method }?.number }

        /// A later route with the same pattern and method takes the place of the earlier one.
        mutating func set(_ number: Int, for method: Request.Method) {
            routes.removeAll { $0.method == method }
            routes.append((method, number))
        }
    }

    private struct Node: Sendable {
        /// Numbers of other nodes.
        var literals: [String: Int] = [:]
        /// The node behind `:name`, whatever the name.
        var named: Int?
        var entries = Entries()
        /// Routes whose pattern ends in `*name` here.
        var rest = Entries()
        var fallback: Int?
    }

    /// The first is the root.
    private var nodes = [Node()]
    /// Routes without names by their whole path: one look-up finds what the walk through the tree would find first.
    private var literal: [String: Entries] = [:]

    /// - Returns: the names in the pattern, in its order.
    mutating func add(_ number: Int, _ method: Request.Method, _ pattern: String) -> [String] {
        var (node, names): (Int, [String]) = (0, [])
        for segment in pattern.segments {
            switch segment.utf8.first {
            case UInt8(ascii: "*"):
                nodes[node].rest.set(number, for: method)
                return names + [String(segment.dropFirst())]
            case UInt8(ascii: ":"):
                names.append(String(segment.dropFirst()))
                node = named(below: node)
            default: node = literal(segment, below: node)
            }
        }
        nodes[node].entries.set(number, for: method)
        if names.isEmpty { literal[pattern, default: Entries()].set(number, for: method) }
        return names
    }

    mutating func addFallback(_ number: Int, _ prefix: String) {
        var node = 0
        for segment in prefix.segments where !segment.isEmpty { node = literal(segment, below: node) }
        nodes[node].fallback = number
    }

    private mutating func literal(_ segment: String, below node: Int) -> Int {
        if let next = nodes[node].literals[segment] { return next }
        nodes.append(Node())
        nodes[node].literals[segment] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func named(below node: Int) -> Int {
        if let next = nodes[node].named { return next }
        nodes.append(Node())
        nodes[node].named = nodes.count - 1
        return nodes.count - 1
    }
}

extension RouteTree {
    func match(_ method: Request.Method, _ path: String) -> Match {
        var match = Match()
        if let entries = literal[path] { Self.take(entries, method, into: &match) }
        if match.route == nil { find(path.afterSlash, method, at: 0, into: &match) }
        return match
    }

    /// The number of the fallback with the longest prefix of `path`.
    func fallback(for path: String) -> Int? {
        var node = nodes[0]
        var fallback = node.fallback
        var rest: Substring? = path.afterSlash
        while let (segment, next) = rest?.cutAtSlash, let child = node.literals[segment.percentDecoded] {
            node = nodes[child]
            rest = next
            fallback = node.fallback ?? fallback
        }
        return fallback
    }

    /// Leaves the route in `match`, or else the methods that the path would have allowed.
    ///
    /// - Parameter path: what is left of it, without the slash before; `nil` behind the last segment.
    private func find(_ path: Substring?, _ method: Request.Method, at index: Int, into match: inout Match) {
        let node = nodes[index]
        guard let path else { return Self.take(node.entries, method, into: &match) }
        let (raw, rest) = path.cutAtSlash
        let segment = raw.percentDecoded
        if let next = node.literals[segment] {
            find(rest, method, at: next, into: &match)
            if match.route != nil { return }
        }
        if let next = node.named, !segment.isEmpty {
            match.values.append(segment)
            find(rest, method, at: next, into: &match)
            if match.route != nil { return }
            match.values.removeLast()
        }
        if node.rest.isEmpty { return }
        Self.take(node.rest, method, into: &match)
        if match.route != nil { match.values.append(path.percentDecoded) }
    }

    private static func take(_ entries: Entries, _ method: Request.Method, into match: inout Match) {
        match.route = entries[method] ?? (method == .head ? entries[.get] : nil)
        if match.route != nil { return }
        match.allowed.formUnion(entries.routes.map(\.method))
        if entries[.get] != nil { match.allowed.insert(.head) }
    }
}

extension String {
    /// The path without its first slash.
    fileprivate var afterSlash: Substring {
        utf8.first == UInt8(ascii: "/") ? Substring(utf8.dropFirst()) : self[...]
    }

    /// The segments of a pattern; `/` has one, and it is empty.
    fileprivate var segments: [String] {
        // As bytes, in an array made once: each start cuts several hundred patterns.
        var path = afterSlash
        return path.withUTF8 { bytes in
            var (segments, start): ([String], Int) = ([], 0)
            segments.reserveCapacity(8)
            while let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
                segments.append(String(decoding: bytes[start..<slash], as: UTF8.self))
                start = slash + 1
            }
            segments.append(String(decoding: bytes[start...], as: UTF8.self))
            return segments
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
