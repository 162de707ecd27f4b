import Essentials
import HTTP
import Synchronization
import Testing

@testable import PlatformKit

@Suite struct JournalTests {
    private func event(_ text: String, platform: String? = nil) -> JournalEntry {
        JournalEntry(.event, at: Date(timeIntervalSince1970: 0), platform: platform, explanation: text)
    }

    @Test func `entries are numbered from one and come newest first`() {
        let journal = Journal()
        for text in ["a", "b", "c"] { journal.append(event(text)) }
        #expect(journal.entries().map(\.id) == [3, 2, 1])
        #expect(journal.entries().map(\.explanation) == ["c", "b", "a"])
    }

    @Test func `a query filters, and its limit counts what fits`() {
        let journal = Journal()
        for number in 1...10 {
            journal.append(event("\(number)", platform: number.isMultiple(of: 2) ? "x" : "y"))
        }
        var query = Journal.Query()
        query.platform = "x"
        query.after = 4
        query.limit = 2
        #expect(journal.entries(query).map(\.id) == [10, 8])
    }

    @Test func `a limit in bytes keeps the newest, and one at least`() {
        let journal = Journal()
        for _ in 1...3 { journal.append(event(String(repeating: "a", count: 1000))) }
        var query = Journal.Query()
        query.byteLimit = 3000
        #expect(journal.entries(query).map(\.id) == [3, 2])
        query.byteLimit = 1
        #expect(journal.entries(query).map(\.id) == [3])
    }

    @Test func `a search goes through all that is kept, whatever part it lies in`() throws {
        let journal = Journal()
        for number in 1...1_000 {
            journal.append(event("Entry \(number)", platform: number.isMultiple(of: 400) ? "x" : "y"))
        }
        var query = Journal.Query()
        query.platform = "x"
        #expect(journal.entries(query).map(\.id) == [800, 400])
        query.before = 800
        #expect(journal.entries(query).map(\.id) == [400])
        query.after = 400
        #expect(journal.entries(query).isEmpty)
        var words = Journal.Query()
        words.text = try TextSearch("ENTRY 99")
        words.limit = 12
        #expect(journal.entries(words).map(\.id) == Array((990...999).reversed()) + [99])
        words.limit = 10
        words.before = 999
        #expect(journal.entries(words).map(\.id) == Array((990...998).reversed()) + [99])
        #expect(journal.entry(1)?.explanation == "Entry 1")
        #expect(journal.entry(0) == nil && journal.entry(1_001) == nil)
        journal.clear()
        #expect(journal.entries(words).isEmpty && journal.entry(1_000) == nil)
    }

    @Test func `a search finds what a body says, as far as it is kept, and no other bytes`() throws {
        let journal = Journal()
        for body in ["{\"name\":\"Ada\"}", "Grüße an Ada", "nobody"].map({ Array($0.utf8) }) + [
            [0xff, 0x41, 0x64, 0x61]
        ] {
            var entry = event("asked")
            entry.exchange = .init(
                method: "POST", target: "/", status: 200, milliseconds: 1, requestHeaders: [:],
                responseHeaders: [:],
                requestBody: .init(body), responseBody: .init([]))
            journal.append(entry)
        }
        var query = Journal.Query()
        query.text = try TextSearch("ada")
        #expect(journal.entries(query).map(\.id) == [2, 1])
        // As it is shown: base64 of 0xff 0x41 0x64 0x61.
        query.text = try TextSearch("/0FkYQ==")
        #expect(journal.entries(query).map(\.id) == [4])
    }

    @Test func `only the latest 10,000 entries are kept, and numbers go on`() {
        let journal = Journal()
        for number in 1...10_050 { journal.append(event("\(number)")) }
        var all = Journal.Query()
        all.limit = .max
        let kept = journal.entries(all)
        #expect(kept.count == Journal.entryLimit)
        #expect(kept.first?.id == 10_050)
        #expect(kept.last?.id == 51)
    }

    @Test func `bodies count: no more than 16 MiB are kept`() {
        let journal = Journal()
        let body = JournalEntry.Body([UInt8](repeating: 0x61, count: 20_000))
        for _ in 1...1_500 {
            var entry = event("big")
            entry.exchange = .init(
                method: "POST", target: "/", status: 200, milliseconds: 1, requestHeaders: [:],
                responseHeaders: [:],
                requestBody: body, responseBody: body)
            journal.append(entry)
        }
        var all = Journal.Query()
        all.limit = .max
        let bytes = journal.entries(all).reduce(0) { $0 + ($1.exchange?.requestBody.bytes.count ?? 0) * 2 }
        #expect(bytes <= Journal.byteLimit)
        #expect(bytes > Journal.byteLimit / 2)
    }

    @Test func `a recording keeps long bodies whole, within 64 MiB, and counts what it lost`() {
        let journal = Journal(budget: KeptBudget(most: 1 << 30), room: .recording)
        let body = JournalEntry.Body(
            [UInt8](repeating: 0x61, count: 5 << 20), most: JournalRoom.recording.bodyBytes)
        #expect(body.bytes.count == 4 << 20 && body.isCut)
        for _ in 1...10 {
            var entry = event("big")
            entry.exchange = .init(
                method: "POST", target: "/", status: 200, milliseconds: 1, requestHeaders: [:],
                responseHeaders: [:], requestBody: body, responseBody: body)
            journal.append(entry)
        }
        // Seven pairs of 4 MiB and some hundred bytes fit.
        #expect(journal.lost == 3)
        journal.clear()
        #expect(journal.lost == 0)
    }

    @Test func `a body of which nothing is kept is cut, whatever is known of its length`() {
        for length in [nil, 70_000] {
            let body = JournalEntry.Body(unkept: length)
            #expect(body.isCut && body.text == nil && body.fullCount == length)
        }
        #expect(!JournalEntry.Body([]).isCut)
    }

    @Test func `what is dropped is let go of at once`() {
        let journal = Journal()
        for _ in 1...Journal.entryLimit { journal.append(event("small")) }
        var bytes = [UInt8](repeating: 0x61, count: 1000)
        let place = bytes.withUnsafeBufferPointer { $0.baseAddress }
        var entry = event("big")
        entry.exchange = .init(
            method: "POST", target: "/", status: 200, milliseconds: 1, requestHeaders: [:],
            responseHeaders: [:], requestBody: .init(bytes), responseBody: .init([]))
        journal.append(entry)
        entry.exchange = nil

        for _ in 1...Journal.entryLimit { journal.append(event("small")) }

        // Changed in its place: nobody else holds it.
        bytes[0] = 0x62
        #expect(bytes.withUnsafeBufferPointer { $0.baseAddress } == place)
    }

    @Test func `a body beyond 16 KiB is cut and says so; what is no text is base64`() {
        #expect(
            JournalEntry.Body([UInt8](repeating: 0x61, count: 16_385)).text?.hasSuffix(
                "a … (16385 bytes in all)") == true)
        #expect(JournalEntry.Body([0xFF, 0xFE]).text == "base64://4=")
        #expect(JournalEntry.Body([]).text == nil)
    }

    @Test func `a body is kept without the room that its writer had reserved`() {
        var written = [UInt8]("{}".utf8)
        written.reserveCapacity(1536)

        let body = JournalEntry.Body(written)
        #expect(body.text == "{}")
        #expect(body.bytes.capacity < 128)
    }

    @Test func `a listener hears everything after it began, in order, until it stops`() {
        let journal = Journal()
        let heard = Mutex<[Int]>([])
        journal.append(event("before"))
        let stop = journal.listen { entry in heard.withLock { $0.append(entry.id) } }
        journal.append(event("a"))
        journal.append(event("b"))
        stop()
        journal.append(event("after"))
        #expect(heard.withLock { $0 } == [2, 3])
        #expect(!journal.isWatched)
    }
}
