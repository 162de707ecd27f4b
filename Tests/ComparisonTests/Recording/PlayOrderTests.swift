import Essentials
import Testing

@testable import Comparison

@Suite struct PlayOrderTests {
    private static let id = "9fd9c022-4966-4a5f-8738-f6322677edac"

    private struct Line {
        let method: String
        let path: String
        let start: String
        let milliseconds: Double
        var answer = ""
        /// As our own journal has it.
        var taken: Double?
    }

    /// Paths in the order in which they are played: our own journal is in the order of the answers.
    private func order(_ lines: [Line]) throws -> [String] {
        let entries = lines.map { line -> JSONValue in
            [
                "_taken": line.taken.map(JSONValue.number) ?? .null,
                "startedDateTime": .string("2026-01-02T03:04:\(line.start)Z"),
                "time": .number(line.milliseconds),
                "request": [
                    "method": .string(line.method), "url": .string("https://a.example\(line.path)"),
                    "headers": [],
                ],
                "response": [
                    "status": 200, "headers": [],
                    "content": ["mimeType": "application/json", "text": .string(line.answer)],
                ],
            ]
        }
        let archive: JSONValue = ["log": ["creator": ["name": "Understudy"], "entries": .array(entries)]]
        return try HARReader.exchanges(in: archive.bytes).map { String($0.request.url.dropFirst(17)) }
    }

    @Test func `what others knew before its answer was there was taken before them`() throws {
        let pushed = Line(
            method: "POST", path: "/transactions", start: "05.188", milliseconds: 4.9,
            answer: "{\"id\": \"\(Self.id)\"}")
        let order = try order([
            Line(method: "GET", path: "/other", start: "05.190", milliseconds: 0.5),
            Line(
                method: "GET", path: "/pending", start: "05.191", milliseconds: 0.2,
                answer: "[\"\(Self.id)\"]"),
            Line(method: "POST", path: "/\(Self.id)/fetch", start: "05.192", milliseconds: 0.7), pushed,
        ])
        #expect(order == ["/other", "/transactions", "/pending", "/\(Self.id)/fetch"])
    }

    @Test func `what was known already moves nothing, nor does what was over, or a read`() throws {
        let known = Line(method: "GET", path: "/\(Self.id)", start: "05.000", milliseconds: 1)
        let read = Line(method: "GET", path: "/a?id=\(Self.id)", start: "05.191", milliseconds: 0.2)
        let answer = "{\"id\": \"\(Self.id)\"}"
        let change = Line(
            method: "POST", path: "/change", start: "05.188", milliseconds: 4.9, answer: answer)
        #expect(try order([known, read, change]) == ["/\(Self.id)", read.path, "/change"])

        let later = Line(method: "POST", path: "/change", start: "05.192", milliseconds: 4.9, answer: answer)
        #expect(try order([read, later]) == [read.path, "/change"])

        let wait = Line(method: "GET", path: "/wait", start: "05.188", milliseconds: 4.9, answer: answer)
        #expect(try order([read, wait]) == [read.path, "/wait"])
    }

    @Test func `our own journal tells it exactly, also beside others and while the clock stands`() throws {
        let pushed = Line(
            method: "POST", path: "/transactions", start: "05.188", milliseconds: 0.9,
            answer: "{\"id\": \"\(Self.id)\"}", taken: 7.1000001)
        let pending = Line(
            method: "GET", path: "/pending", start: "05.188", milliseconds: 0.2,
            answer: "[\"\(Self.id)\"]", taken: 7.1000002)
        let earlier = Line(method: "GET", path: "/events", start: "05.188", milliseconds: 900, taken: 6.2)
        let order = try order([pending, earlier, pushed])
        #expect(order == ["/transactions", "/pending", "/events"])

        let later = Line(
            method: "POST", path: "/transactions", start: "05.188", milliseconds: 0.9,
            answer: pushed.answer, taken: 7.1000003)
        #expect(try self.order([pending, later]) == ["/pending", "/transactions"])
    }
}
