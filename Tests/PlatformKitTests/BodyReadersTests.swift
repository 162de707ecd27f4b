import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

/// A platform with a route behind a path parameter and credentials, and one that looks at no body.
private protocol Half: Platform where Fixtures == NoFixtures {}

private struct NoFixtures: Codable {}

private struct Refused: Refusal { let explanation: String }

extension Half {
    static var name: String { "half" }
    static var title: String { "Half" }
    static var migrations: [SQL] { [] }
    static var mounts: [Mount<Self>] {
        [Mount(name, [.post("/:tenant/things", Self.make), .post("/close", Self.close)])]
    }

    static func load(_: NoFixtures, into _: Connection) throws {}
    static func export(from _: Connection) throws -> NoFixtures { NoFixtures() }

    static func response(for error: any Error) throws -> Response {
        .text("no", status: (error as? RouteUnknown)?.status ?? .badRequest)
    }

    func make(_ request: Request) throws -> Response {
        guard request.parameter("tenant") == "blue" else { throw Refused(explanation: "No such tenant.") }
        guard request.headers["Authorization"] == "key" else { throw Refused(explanation: "No key.") }
        _ = try request.json(JSONValue.self)
        return .noContent
    }

    func close(_: Request) throws -> Response { .noContent }
}

private struct Unsampled: Half {
    let world: World
    init(_ world: World) { self.world = world }
}

private struct Sampled: Half, SamplesBodies {
    let world: World
    init(_ world: World) { self.world = world }

    static let sampleParameters = ["tenant": "blue"]
    static let routesWithoutBody: Set = ["POST /half/close"]

    static func sampleCaller(of _: BodyRoute) throws -> SampleCaller<Sampled> {
        SampleCaller(try TestBench<Sampled>.withCast(), headers: ["Authorization": "key"])
    }
}

private struct Mistaken: Half, SamplesBodies {
    let world: World
    init(_ world: World) { self.world = world }

    static let sampleParameters = ["tenant": "blue"]
    static let routesWithoutBody: Set = ["POST /half/:tenant/things", "POST /half/close", "POST /half/gone"]

    static func sampleCaller(of _: BodyRoute) throws -> SampleCaller<Mistaken> {
        SampleCaller(try TestBench<Mistaken>.withCast(), headers: ["Authorization": "key"])
    }
}

@Suite struct BodyReadersTests {
    @Test func `routes that are not reached fail the check`() throws {
        try withKnownIssue {
            try checkBodyReaders(of: Unsampled.self)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("half: 0 of 2 routes reach")
                && text.contains("POST /half/:tenant/things: 400 No such tenant.")
        }
    }

    @Test func `parameters and credentials lead to the reader`() throws {
        try checkBodyReaders(of: Sampled.self)
    }

    @Test func `a route that is said to take no body and reads it fails, as does one that is not there`()
        throws
    {
        try withKnownIssue {
            try checkBodyReaders(of: Mistaken.self)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("POST /half/:tenant/things reads its body")
                || text.contains("these routes are not there")
        }
    }
}
