import Essentials
import HTTP
import PlatformKit
import Platforms

/// A request with a body that a client sends: a line of `bodies.jsonl`, or one that is made up for a route that has none there.
struct BodySample: Sendable {
    let method: Request.Method
    /// Path and query, below the address of a world.
    let target: String
    let headers: [(name: String, value: String)]
    let body: Body

    enum Body: Sendable {
        case json(JSONTree)
        case form([(name: String, value: String)])
    }

    /// Nil for a line that is none.
    init?(line: JSONValue) {
        guard let method = line["method"]?.string, let target = line["path"]?.string,
            let text = line["body"]?.string, let headers = line["headers"]?.object
        else { return nil }
        self.method = Request.Method(rawValue: method)
        self.target = target
        self.headers = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value.string ?? "") }
        // Clients of MIRACL send JSON under any type; what is none is a form.
        if let value = try? JSONValue(parsing: Array(text.utf8)) {
            body = .json(JSONTree(value))
        } else {
            body = .form(Form(text).pairs)
        }
    }

    init(
        _ method: Request.Method, _ target: String, headers: [(name: String, value: String)], _ body: Body
    ) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    var path: String { String(target.prefix { $0 != "?" }) }

    /// The first segment of the path.
    var mount: String { String(path.dropFirst().prefix { $0 != "/" }) }
}

extension BodySample {
    /// Whether this is a request for the route with this pattern.
    func fits(_ method: Request.Method, _ pattern: String) -> Bool {
        let mine = path.split(separator: "/", omittingEmptySubsequences: false)
        let theirs = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard method == self.method, mine.count == theirs.count else { return false }
        return zip(mine, theirs).allSatisfy { $0 == $1 || $1.hasPrefix(":") }
    }

    /// Those of the file, and one for each other route that may take a body.
    static func all() -> [BodySample] {
        let recorded = recorded()
        return recorded
            + (Platforms.all + Platforms.onRequest).flatMap { missing(in: recorded, of: $0) }
    }

    /// Those of the file, which has what clients sent in the acceptance tests.
    static func recorded() -> [BodySample] {
        let file = URL(filePath: "Tests/Fuzz/Platforms/bodies.jsonl")
        guard let content = try? Data(contentsOf: file) else {
            preconditionFailure("\(file.path) is not there; the fuzzer runs at the root of the repository")
        }
        return content.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONValue(parsing: [UInt8]($0))
        }
        .compactMap(BodySample.init(line:))
    }

    private static func missing<P: Platform>(in recorded: [BodySample], of _: P.Type) -> [BodySample] {
        P.mounts.flatMap { mount in
            let related = recorded.filter { $0.mount == mount.path }
            let body = Body.json(.object(members(of: related)))
            return mount.routes.compactMap { route -> BodySample? in
                let pattern = "/" + mount.path + route.pattern
                guard ["POST", "PUT", "PATCH", "DELETE"].contains(route.method.rawValue),
                    !recorded.contains(where: { $0.fits(route.method, pattern) })
                else { return nil }
                let headers = related.first { $0.headers.contains { $0.name.lowercased() != "content-type" } }
                return BodySample(
                    route.method, pattern.replacing(/[:*]\w+/, with: "none"), headers: headers?.headers ?? [],
                    body)
            }
        }
    }

    /// Every name that the bodies below the same mount have.
    private static func members(of samples: [BodySample]) -> [(name: String, value: JSONTree)] {
        var members: [String: JSONTree] = [:]
        for case .json(.object(let own)) in samples.map(\.body) {
            for member in own where members[member.name] == nil { members[member.name] = member.value }
        }
        return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
