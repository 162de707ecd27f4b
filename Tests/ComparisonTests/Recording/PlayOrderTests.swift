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
        var status = 200
        var agent = "okhttp/4.12"
    }

    /// Paths in the order in which they are played.
    private func order(_ lines: [Line]) throws -> [String] {
        try exchanges(lines).map { String($0.request.url.dropFirst(17)) }
    }

    private func order<Value>(
        _ lines: [Line], _ part: KeyPath<RecordedResponse, Value>
    ) throws -> [Value] {
        try exchanges(lines).map { $0.response[keyPath: part] }
    }

    /// Our own journal is in the order of the answers.
    private func exchanges(_ lines: [Line]) throws -> [Exchange] {
        let entries = lines.map { line -> JSONValue in
            [
                "_taken": line.taken.map(JSONValue.number) ?? .null,
                "startedDateTime": .string("2026-01-02T03:04:\(line.start)Z"),
                "time": .number(line.milliseconds),
                "request": [
                    "method": .string(line.method), "url": .string("https://a.example\(line.path)"),
                    "headers": [["name": "User-Agent", "value": .string(line.agent)]],
                ],
                "response": [
                    "status": .integer(line.status), "headers": [],
                    "content": ["mimeType": "application/json", "text": .string(line.answer)],
                ],
            ]
        }
        let archive: JSONValue = ["log": ["creator": ["name": "Understudy"], "entries": .array(entries)]]
        return try HARReader.exchanges(in: archive.bytes)
    }

    @Test func `what a service calls by itself comes behind the request that it calls for`() throws {
        let order = try order([
            Line(
                method: "POST", path: "/callback", start: "05.000", milliseconds: 2, taken: 1.003,
                agent: "understudy (onegini)"),
            Line(method: "POST", path: "/answer", start: "05.000", milliseconds: 9, taken: 1.0),
            Line(method: "POST", path: "/other", start: "05.000", milliseconds: 9, taken: 1.004),
        ])
        #expect(order == ["/answer", "/callback", "/other"])
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
    @Test func `of the same request sent twice at once, the one that was taken is played first`() throws {
        func twin(_ taken: Double, status: Int, path: String = "/proof") -> Line {
            Line(
                method: "POST", path: path, start: "05.188", milliseconds: 5, taken: taken, status: status)
        }
        #expect(try order([twin(7.001, status: 403), twin(7.0, status: 200)], \.status) == [200, 403])
        #expect(try order([twin(7.0, status: 403), twin(7.001, status: 200)], \.status) == [200, 403])
        // One that came when the other was over was a second try.
        #expect(try order([twin(7.0, status: 403), twin(7.006, status: 200)], \.status) == [403, 200])
        let other = twin(7.0, status: 200, path: "/other")
        #expect(try order([twin(7.001, status: 403), other], \.status) == [403, 200])
    }
}
