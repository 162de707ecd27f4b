import Essentials
import HTTP
import Synchronization

@testable import Comparison

/// A small recording, and a world that answers as it is told.
struct Rehearsal {
    /// A request with its answer, as they were recorded.
    struct Line {
        var method = "POST"
        let path: String
        var asked = "{}"
        var status = 200
        var told = "{}"
        /// Seconds since the first.
        var time = 0.0
    }

    let lines: [Line]
    var sent: [Stage.Sent] = []
    /// The status and body that the world answers a request with, by its number from 1; nil for those of the recording.
    var answers: [Int: (status: Int, body: String)] = [:]

    static let service = "https://tenant.example"

    var exchanges: [Exchange] {
        lines.enumerated().map { index, line in
            let time = Date(timeIntervalSince1970: 1_770_000_000).adding(seconds: line.time)
            return Exchange(
                number: index + 1, startedAt: time, seconds: 0, playedAt: time, takenAt: nil,
                isPassed: false, isWebSocket: false,
                request: RecordedRequest(
                    method: line.method, url: Self.service + line.path,
                    headers: ["Content-Type": "application/json"], body: Array(line.asked.utf8), isCut: false),
                response: RecordedResponse(
                    status: line.status, headers: ["Content-Type": "application/json"],
                    body: Array(line.told.utf8), isCut: false))
        }
    }

    /// What the world was asked.
    final class Notes: Sendable {
        private let times = Mutex<[Date]>([])
        private let requests = Mutex<[String]>([])
        private let asked = Mutex<[PasskeyOrder]>([])

        var clocks: [Date] { times.withLock { $0 } }
        var orders: [PasskeyOrder] { asked.withLock { $0 } }

        func note(_ time: Date) { times.withLock { $0.append(time) } }
        func note(_ order: PasskeyOrder) { asked.withLock { $0.append(order) } }

        var bodies: [String] { requests.withLock { $0 } }

        /// The number of the request, from 1.
        func next(_ body: [UInt8]) -> Int {
            requests.withLock { bodies in
                bodies.append(String(decoding: body, as: UTF8.self))
                return bodies.count
            }
        }
    }

    func stage(_ notes: Notes) -> Stage {
        let (lines, answers) = (lines, answers)
        return Stage(
            base: "http://127.0.0.1:1", setClock: { notes.note($0) },
            send: { _, _, _, body in
                let number = notes.next(body)
                let line = lines[number - 1]
                return Stage.Answer(
                    status: answers[number]?.status ?? line.status,
                    headers: ["Content-Type": "application/json"],
                    body: Array((answers[number]?.body ?? line.told).utf8))
            },
            sent: { [sent] in sent },
            passkey: { order in
                notes.note(order)
                return Array(#"{"id":"b3Vycw","rawId":"b3Vycw","response":{}}"#.utf8)
            }, fixtures: { [] })
    }

    func bases(_ mount: String, _ book: RouteBook) throws -> Bases {
        try Bases(of: exchanges, book, given: [(mount, Self.service)])
    }

    /// The verdicts, in a world of one mount.
    func verdicts(_ mount: String, _ notes: Notes = Notes()) throws -> [Finding.Verdict] {
        let routes = Set(lines.map { [$0.method, $0.path.prefix { $0 != "?" }.description] }).map {
            KnownRoute(platform: mount, title: mount, mount: mount, method: $0[0], pattern: $0[1])
        }
        let book = RouteBook(routes)
        return try Comparer(
            exchanges, book, bases(mount, book), first: stage(notes), second: stage(Notes())
        ).findings().map(\.verdict)
    }
}

extension Finding.Verdict {
    var reason: String? { if case .notComparable(let reason) = self { reason } else { nil } }
    var followed: Int? { if case .follows(let number) = self { number } else { nil } }
    var differences: Int? { if case .differs(let found) = self { found.count } else { nil } }
}
