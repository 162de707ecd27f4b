import Essentials
import HTTP
import Synchronization

@testable import Comparison

/// A recording of a few entries, and worlds of ours that a closure answers for.
struct SmallRecording {
    private var entries: [JSONValue] = []

    /// - Parameters:
    ///   - headers: of the request.
    ///   - second: when it was made, in seconds after the recording began.
    mutating func add(
        _ method: String, _ url: String, _ headers: [String: String] = [:], body: String? = nil,
        second: Int = 0, milliseconds: Int = 1, status: Int = 200, answer: [String: String] = [:],
        text: String = ""
    ) {
        var request: [String: JSONValue] = [
            "method": .string(method), "url": .string(url), "headers": Self.fields(headers),
        ]
        request["postData"] = body.map {
            ["mimeType": .string(headers["Content-Type"] ?? ""), "text": .string($0)]
        }
        entries.append([
            "startedDateTime": .string("2026-01-02T03:04:0\(second).000Z"), "time": .integer(milliseconds),
            "request": .object(request),
            "response": [
                "status": .integer(status), "headers": Self.fields(answer),
                "content": ["text": .string(text)],
            ],
        ])
    }

    private static func fields(_ headers: [String: String]) -> JSONValue {
        .array(headers.map { ["name": .string($0.key), "value": .string($0.value)] })
    }

    var exchanges: [Exchange] {
        get throws { try HARReader.exchanges(in: (["log": ["entries": .array(entries)]] as JSONValue).bytes) }
    }

    /// What became of each entry.
    ///
    /// - Parameters:
    ///   - routes: such as `GET /oauth/v1/keys`, all of one platform.
    ///   - unanswered: whom a world asked in vain.
    ///   - answer: for the world `one` or `two`.
    func verdicts(
        _ routes: [String], unanswered: @escaping @Sendable (_ world: String) -> String? = { _ in nil },
        answer: @escaping @Sendable (_ world: String, Request.Method, String, Headers) throws -> Stage.Answer
    ) throws -> [String] {
        let exchanges = try exchanges
        let book = RouteBook(routes.map(Self.route))
        let bases = try Bases(of: exchanges, book)
        let stages = ["one", "two"].map { world in
            Stage(
                base: "http://127.0.0.1:1/w/" + world, setClock: { _ in },
                send: { method, url, headers, _ in try answer(world, method, url, headers) },
                sent: { [] }, passkey: { _ in throw Unsendable("no authenticator is here") },
                fixtures: { [] },
                unanswered: {
                    let last = unanswered(world)
                    return (last == nil ? 0 : 1, last)
                })
        }
        return try Comparer(exchanges, book, bases, first: stages[0], second: stages[1]).findings()
            .map(Self.words)
    }

    private static func route(_ name: String) -> KnownRoute {
        let parts = name.split(separator: " ").map(String.init)
        let segments = parts[1].split(separator: "/").map(String.init)
        return KnownRoute(
            platform: "acme", title: "Acme", mount: segments[0], method: parts[0],
            pattern: segments.dropFirst().map { "/" + $0 }.joined())
    }

    private static func words(_ finding: Finding) -> String {
        switch finding.verdict {
        case .agrees: "agrees"
        case .differs(let differences): "differs: " + differences.map(\.place).joined(separator: ", ")
        case .notEmulated: "not emulated"
        case .notComparable(let reason): "not comparable: " + reason
        case .follows(let number): "follows \(number)"
        case .elsewhere: "elsewhere"
        }
    }
}

/// Counts what was asked of each world.
final class Counter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ world: String) -> Int { counts.withLock { $0[world, default: 0] } }
    func add(_ world: String) { counts.withLock { $0[world, default: 0] += 1 } }
}
