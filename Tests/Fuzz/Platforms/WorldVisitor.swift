import Console
import Essentials
import HTTP
import PlatformKit
import Platforms

/// Reads all that can be read in a world, and has each platform do something.
struct WorldVisitor: Sendable {
    private let samples = BodySample.recorded()
    /// Of the console, its API and the platforms, below the address of a world.
    private let paths: [String]

    init() {
        paths = Self.filled(Console.readable) + Platforms.all.flatMap { Self.readable($0) }
    }

    private static func readable<P: Platform>(_: P.Type) -> [String] {
        filled(
            P.mounts.flatMap { mount in
                mount.routes.filter { $0.method == .get }.map { "/" + mount.path + $0.pattern }
            })
    }

    /// With names and numbers of the built-in world in the place of parameters.
    private static func filled(_ patterns: [String]) -> [String] {
        patterns.map { pattern in
            pattern.replacing("/phones/:name", with: "/phones/ada").replacing(
                "/users/:platform/:id", with: "/users/hanko/ada"
            )
            .replacing(/[:*]\w+/, with: "1")
        }
    }

    /// Fills the default world by what clients did.
    func fill(_ dispatcher: Dispatcher) {
        for sample in samples { _ = dispatcher.respond(to: sample.request(in: nil)) }
    }

    /// - Parameter mayFail: whether such an answer is none of our faults.
    /// - Returns: what went wrong, with the request.
    func visit(_ world: String, of dispatcher: Dispatcher, mayFail: (Int) -> Bool) -> String? {
        let reads = paths + records(in: world, of: dispatcher)
        for path in reads {
            let response = dispatcher.respond(to: Self.read(path, in: world))
            if let failure = Self.failure(response, mayFail) { return "GET \(path): \(failure)" }
        }
        for sample in samples {
            let response = dispatcher.respond(to: sample.request(in: world))
            if let failure = Self.failure(response, mayFail) {
                return "\(sample.method.rawValue) \(sample.target): \(failure)"
            }
        }
        return nil
    }

    /// One of each kind that the console shows.
    private func records(in world: String, of dispatcher: Dispatcher) -> [String] {
        let response = dispatcher.respond(to: Self.read("/_understudy/v1/records", in: world))
        let list = (try? JSONValue(parsing: response.bytes))?["records"]?.array ?? []
        var seen: Set<String> = []
        return list.compactMap { record in
            guard let platform = record["platform"]?.string, let kind = record["kind"]?.string,
                let id = record["id"]?.string, seen.insert(platform + kind).inserted
            else { return nil }
            return "/_understudy/v1/records/\(platform)/\(id.percentEncoded)"
        }
    }

    private static func read(_ path: String, in world: String) -> Request {
        Request(.get, "/w/\(world)" + path, headers: ["Host": "localhost:1"])
    }

    private static func failure(_ response: Response, _ mayFail: (Int) -> Bool) -> String? {
        let status = response.status.code
        guard status >= 500, !mayFail(status) else { return nil }
        let text = String(decoding: response.bytes.prefix(500), as: UTF8.self)
        return BodiesSubject.mayFail(status, text) ? nil : "\(status) \(text)"
    }
}

extension BodySample {
    func request(in world: String?) -> Request {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        // Port 1: what the sample app calls there is refused at once.
        var fields: Headers = ["Host": "localhost:1"]
        for header in headers { fields[header.name] = header.value }
        let text =
            switch body {
            case .json(let tree): tree.text
            case .form(let pairs): Form.encode(pairs)
            }
        return Request(
            method, (world.map { "/w/" + $0 } ?? "") + (parts.first ?? "/"),
            query: parts.count > 1 ? parts[1] : nil,
            headers: fields, body: Array(text.utf8))
    }
}
