import Essentials
import HTTP
import PlatformKit
import Synchronization

/// Requests as an HTTP archive, written member by member: a full journal makes one of 20 MB. Source: HTTP Archive 1.2.
enum Archive {
    /// The entries that fit, oldest first; those that come meanwhile are left out.
    ///
    /// - Parameter origin: of a request that names no host.
    static func response(
        _ journal: Journal, _ query: Journal.Query, origin: String, version: String
    ) throws -> Response {
        let lost = journal.lost
        let comment =
            lost == 0
            ? "" : #""comment":"\#(lost) earlier entries are missing: there was no room for them.","#
        let creator: JSONValue = ["name": "Understudy", "version": .string(version)]
        let last = journal.lastID
        let seen = Mutex(0)
        var response = try JSONPieces<[UInt8]>(
            #"{"log":{\#(comment)"creator":\#(creator.text),"entries":["#, #"],"version":"1.2"}}"#,
            write: { entry, piece in piece += entry },
            {
                let before = seen.withLock { $0 }
                guard let part = journal.part(after: before, through: last, query) else { return nil }
                seen.withLock { $0 = part.next }
                return part.entries.compactMap { entry in
                    entry.exchange.map { Self.entry(entry, $0, origin, since: journal.beginning) }
                }
            }
        ).response()
        if lost > 0 { response.headers[lostField] = String(lost) }
        return response
    }

    /// How many entries had to go before those of an archive.
    private static let lostField = "X-Understudy-Lost"

    private static func entry(
        _ entry: JournalEntry, _ exchange: JournalEntry.Exchange, _ origin: String,
        since beginning: ContinuousClock.Instant
    ) -> [UInt8] {
        let began = entry.at.addingTimeInterval(-exchange.milliseconds / 1000)
        var writer = JSONObjectWriter()
        // Members of one's own begin with an underscore: HTTP Archive 1.2, “Custom fields”.
        // Seconds from the journal's beginning, by this computer's clock: that of the world may stand still.
        let answered = beginning.duration(to: entry.instant) / .seconds(1)
        writer.add("_taken", .number(answered - exchange.milliseconds / 1000))
        writer.add("_upstream", entry.upstream.map(JSONValue.string))
        writer.add("cache", json: Array("{}".utf8))
        writer.add("comment", entry.explanation.map(JSONValue.string))
        writer.add("request", json: request(exchange, origin))
        writer.add("response", json: response(exchange, at: entry.at))
        writer.add("startedDateTime", .string(Timestamp.text(began)))
        // Milliseconds.
        writer.add("time", .number(exchange.milliseconds))
        var timings = JSONObjectWriter()
        timings.add("receive", 0)
        timings.add("send", 0)
        timings.add("wait", .number(exchange.milliseconds))
        writer.add("timings", json: timings.bytes)
        return writer.bytes
    }

    private static func request(_ exchange: JournalEntry.Exchange, _ origin: String) -> [UInt8] {
        let (headers, body) = (exchange.requestHeaders, exchange.requestBody)
        let query = exchange.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        var writer = JSONObjectWriter()
        writer.add("bodySize", .integer(body.fullCount ?? -1))
        writer.add("cookies", .array(headers.values(of: "Cookie").flatMap(SentCookie.cookies).map(\.json)))
        writer.add("headers", list: headers.fields) { ($0.name, $0.value) }
        writer.add("headersSize", -1)
        writer.add("httpVersion", "HTTP/1.1")
        writer.add("method", .string(exchange.method))
        if let posted = posted(body, headers["Content-Type"] ?? "") {
            writer.add("postData", json: posted)
        }
        writer.add("queryString", list: query.map { Form($0).pairs } ?? []) { ($0.name, $0.value) }
        writer.add("url", .string(exchange.url(from: origin)))
        return writer.bytes
    }

    /// Nil for an empty body. The member `encoding` is that of contents: HAR has none here.
    private static func posted(_ body: JournalBody, _ type: String) -> [UInt8]? {
        guard let shown = body.archived else { return nil }
        var writer = JSONObjectWriter()
        writer.add("comment", body.cut.map(JSONValue.string))
        writer.add("encoding", shown.encoding.map(JSONValue.string))
        writer.add("mimeType", .string(type))
        writer.add("text", .string(shown.text))
        return writer.bytes
    }

    private static func response(_ exchange: JournalEntry.Exchange, at time: Date) -> [UInt8] {
        let headers = exchange.responseHeaders
        let cookies = headers.values(of: "Set-Cookie").compactMap { ArchivedCookie($0, at: time)?.json }
        var writer = JSONObjectWriter()
        writer.add("bodySize", .integer(exchange.responseBody.fullCount ?? -1))
        writer.add("content", json: content(exchange.responseBody, headers["Content-Type"] ?? ""))
        writer.add("cookies", .array(cookies))
        writer.add("headers", list: headers.fields) { ($0.name, $0.value) }
        writer.add("headersSize", -1)
        writer.add("httpVersion", "HTTP/1.1")
        writer.add("redirectURL", .string(headers["Location"] ?? ""))
        writer.add("status", .integer(exchange.status))
        writer.add("statusText", .string(Status(code: exchange.status).reason))
        return writer.bytes
    }

    private static func content(_ body: JournalBody, _ type: String) -> [UInt8] {
        let shown = body.archived
        var writer = JSONObjectWriter()
        writer.add("comment", body.cut.map(JSONValue.string))
        writer.add("encoding", (shown?.encoding).map(JSONValue.string))
        writer.add("mimeType", .string(type))
        // HTTP Archive 1.2 has -1 for what is not known in other sizes.
        writer.add("size", .integer(body.fullCount ?? -1))
        writer.add("text", (shown?.text).map(JSONValue.string))
        return writer.bytes
    }
}

extension JSONObjectWriter {
    /// Appends a list of names with values.
    fileprivate mutating func add<Element>(
        _ name: String, list: [Element], _ pair: (Element) -> (name: String, value: String)
    ) {
        var text = [UInt8(ascii: "[")]
        for element in list {
            let (name, value) = pair(element)
            text += (text.count > 1 ? #",{"name":"# : #"{"name":"#).utf8
            JSONValue.string(name).write(to: &text)
            text += #","value":"#.utf8
            JSONValue.string(value).write(to: &text)
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "]"))
        add(name, json: text)
    }
}

extension JournalBody {
    /// What is kept of it, as text or as base64; nil for an empty body. A character that the cut went through is left out.
    fileprivate var archived: (text: String, encoding: String?)? {
        if bytes.isEmpty { return nil }
        for lost in 0..<(isCut ? 4 : 1) {
            if let text = String(validating: bytes.dropLast(lost), as: UTF8.self) { return (text, nil) }
        }
        return (Data(bytes).base64EncodedString(), "base64")
    }

    fileprivate var cut: String? {
        guard isCut else { return nil }
        guard let fullCount, !bytes.isEmpty else { return Self.unkept }
        return "The first \(bytes.count) of \(fullCount) bytes."
    }
}
