import Essentials
package import HTTP
package import PlatformKit
import Testing

/// Brings odd bodies past path parameters, credentials and signatures, as far as whoever reads them. A platform's tests declare it beside
/// ``checkConformance(of:fixtures:)``; a platform whose routes need neither declares nothing.
package protocol SamplesBodies: Platform {
    /// What stands in the place of a path parameter, by its name; or, where a name means several things, in the place of a beginning of the
    /// pattern: `["user": "ada", "/acme/admin/users/:id": "/acme/admin/users/7"]`. The longest beginning counts.
    static var sampleParameters: [String: String] { get }

    /// Routes whose request is in path, query and header fields alone, or which take whatever comes: `POST /acme/things/:id/close`. One that
    /// answers odd bodies differently all the same, or is not there, fails.
    static var routesWithoutBody: Set<String> { get }

    /// Beside the odd ones: what its reader takes for a beginning, such as `grant_type=password`.
    static func sampleBodies(for route: BodyRoute) -> SampleBodies

    /// Who sends one body, in a world of its own.
    static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<Self>
}

extension SamplesBodies {
    package static var sampleParameters: [String: String] { [:] }
    package static var routesWithoutBody: Set<String> { [] }
    package static func sampleBodies(for route: BodyRoute) -> SampleBodies { SampleBodies() }
    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<Self> {
        SampleCaller(try TestBench<Self>.withCast())
    }
}

/// A route that takes a body.
package struct BodyRoute: Sendable, CustomStringConvertible {
    package let method: Request.Method
    /// With its mount: `/acme/things/:id`.
    package let pattern: String
    /// Without parameters.
    package let path: String

    package var description: String { "\(method.rawValue) \(pattern)" }
}

package struct SampleBodies: Sendable {
    package var json: [String] = []
    package var forms: [String] = []

    package init(json: [String] = [], forms: [String] = []) { (self.json, self.forms) = (json, forms) }
}

package struct SampleCaller<P: Platform> {
    package let bench: TestBench<P>
    /// Sends the request as whoever may call the route. What it throws is told by no test: the journal says what came of the request.
    let send: (Request) throws -> Void

    package init(_ bench: TestBench<P>, send: @escaping (Request) throws -> Void) {
        (self.bench, self.send) = (bench, send)
    }

    package init(_ bench: TestBench<P>, headers: Headers = [:]) {
        self.init(bench) { request in
            var request = request
            for field in headers.fields { request.headers[field.name] = field.value }
            _ = bench.send(request)
        }
    }
}

/// At least nine of ten routes that take a body show that they read it: they refuse odd ones in more than one way, or take some of them.
package func checkBodyReaders<P: Platform>(of platform: P.Type) throws {
    let samples = P.self as? any SamplesBodies.Type
    let bodiless = samples?.routesWithoutBody ?? []
    var routes: [BodyRoute] = []
    var silent: [String] = []
    var known: Set<String> = []
    for route in BodyRoute.all(of: platform, samples?.sampleParameters ?? [:]) {
        known.insert(route.description)
        let answers = try BodyReading(route: route).answers(of: platform)
        if bodiless.contains(route.description) {
            #expect(answers.count <= 1, "\(route) reads its body: \(answers.sorted())")
            continue
        }
        routes.append(route)
        if answers.count < 2 { silent.append("\(route): \(answers.first ?? "")") }
    }
    #expect(bodiless.subtracting(known) == [], "these routes are not there")
    let figure =
        "\(P.name): \(routes.count - silent.count) of \(routes.count) routes reach the reader of their body"
    print(figure)
    #expect(silent.count * 10 <= routes.count, "\(figure); the others say\n\(silent.joined(separator: "\n"))")
}

extension BodyRoute {
    static func all<P: Platform>(of _: P.Type, _ parameters: [String: String]) -> [BodyRoute] {
        P.mounts.flatMap { mount in
            mount.routes.filter { [.post, .put, .patch].contains($0.method) }.map { route in
                let pattern = "/" + mount.path + route.pattern
                return BodyRoute(
                    method: route.method, pattern: pattern, path: path(pattern, parameters))
            }
        }
    }

    private static func path(_ pattern: String, _ parameters: [String: String]) -> String {
        let place = parameters.filter { $0.key.hasPrefix("/") && pattern.hasPrefix($0.key) }
            .max { $0.key.utf8.count < $1.key.utf8.count }
        let begun = place.map { $0.value + pattern.dropFirst($0.key.count) } ?? pattern
        return begun.replacing(/[:*](\w+)/) { (parameters[String($0.1)] ?? "none").percentEncoded }
    }
}

/// What a route says to odd bodies.
private struct BodyReading {
    let route: BodyRoute

    private static let odd = [
        "{", "{}", "", "[]", "null", "\"text\"", "{\"email\": 7}", String(repeating: "[", count: 5000),
    ]

    /// Of bodies of one type, as soon as there are two.
    func answers<P: Platform>(of _: P.Type) throws -> Set<String> {
        let samples = (P.self as? any SamplesBodies.Type)?.sampleBodies(for: route) ?? SampleBodies()
        let groups = [
            ("application/json", Self.odd + samples.json),
            ("application/x-www-form-urlencoded", ["", "a=1", "\u{FFFD}", "%"] + samples.forms),
        ]
        var all: Set<String> = []
        for (type, bodies) in groups {
            var answers: Set<String> = []
            var caller: SampleCaller<P>?
            for body in bodies where answers.count < 2 {
                let present = try caller ?? Self.caller(of: route, P.self)
                let (code, answer) = try answer(type, body, present)
                answers.insert(answer)
                // What is refused changes nothing; see ``CountsRefusals``.
                caller = code < 400 ? nil : present
            }
            if answers.count > 1 { return answers }
            all = answers
        }
        return all
    }

    private func answer<P: Platform>(
        _ type: String, _ body: String, _ caller: SampleCaller<P>
    ) throws -> (code: Int, text: String) {
        let request = Request(
            route.method, route.path, headers: ["Content-Type": type], body: Array(body.utf8))
        do { try caller.send(request) } catch { _ = error }
        let entry = try #require(
            caller.bench.journal.first { $0.kind == .request }, "\(route) was not called")
        let code = entry.exchange?.status ?? 0
        // What is not emulated says so; the sample app passes on that nobody answers behind it.
        #expect(code < 500 || [501, 502].contains(code), "\(route) \(body.prefix(20))")
        #expect(caller.bench.reports.lines == [], "\(route) \(body.prefix(20))")
        return (code, "\(code) \(entry.explanation ?? "")")
    }

    private static func caller<P: Platform>(of route: BodyRoute, _: P.Type) throws -> SampleCaller<P> {
        func own<S: SamplesBodies>(_: S.Type) throws -> SampleCaller<P> {
            try #require(S.sampleCaller(of: route) as? SampleCaller<P>)
        }
        guard let samples = P.self as? any SamplesBodies.Type else {
            return SampleCaller(try TestBench<P>.withCast())
        }
        return try own(samples)
    }
}
