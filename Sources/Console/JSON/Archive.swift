import Essentials
import HTTP
import PlatformKit
import Synchronization

/// Requests as an HTTP archive. Source: HTTP Archive 1.2.
enum Archive {
    struct Creator: Encodable {
        let name = "Understudy"
        let version: String
    }

    struct Pair: Encodable {
        let name: String
        let value: String
    }

    struct Entry: Encodable {
        let startedDateTime: String
        /// Milliseconds.
        let time: Double
        let request: Sent
        let response: Answered
        let cache: [String: String] = [:]
        let timings: Timings
        /// The explanation.
        let comment: String?
    }

    struct Timings: Encodable {
        let send = 0
        let wait: Double
        let receive = 0
    }

    struct Sent: Encodable {
        let method: String
        let url: String
        let httpVersion = "HTTP/1.1"
        let cookies: [Pair] = []
        let headers: [Pair]
        let queryString: [Pair]
        let postData: Posted?
        let headersSize = -1
        let bodySize: Int
    }

    struct Posted: Encodable {
        let mimeType: String
        let text: String
    }

    struct Answered: Encodable {
        let status: Int
        let statusText: String
        let httpVersion = "HTTP/1.1"
        let cookies: [Pair] = []
        let headers: [Pair]
        let content: Content
        let redirectURL: String
        let headersSize = -1
        let bodySize: Int
    }

    struct Content: Encodable {
        let size: Int
        let mimeType: String
        let text: String?
        /// `base64` where the text is so.
        let encoding: String?
    }
}

extension Archive {
    /// The entries that fit, oldest first; those that come meanwhile are left out.
    ///
    /// - Parameter origin: of a request that names no host.
    static func response(
        _ journal: Journal, _ query: Journal.Query, origin: String, version: String
    ) throws -> Response {
        let creator = String(decoding: try JSONEncoder().encode(Creator(version: version)), as: UTF8.self)
        let last = journal.lastID
        let seen = Mutex(0)
        return try JSONPieces<Entry>(#"{"log":{"creator":\#(creator),"entries":["#, #"],"version":"1.2"}}"#) {
            let before = seen.withLock { $0 }
            guard let part = journal.part(after: before, through: last, query) else { return nil }
            seen.withLock { $0 = part.next }
            return part.entries.compactMap { entry in entry.exchange.map { Entry(entry, $0, origin) } }
        }.response()
    }
}

extension Archive.Entry {
    fileprivate init(_ entry: JournalEntry, _ exchange: JournalEntry.Exchange, _ origin: String) {
        startedDateTime = Timestamp.text(entry.at.addingTimeInterval(-exchange.milliseconds / 1000))
        (time, timings) = (exchange.milliseconds, .init(wait: exchange.milliseconds))
        (request, response) = (.init(exchange, origin), .init(exchange))
        comment = entry.explanation
    }
}

extension Archive.Sent {
    fileprivate init(_ exchange: JournalEntry.Exchange, _ origin: String) {
        (method, url) = (exchange.method, exchange.url(from: origin))
        headers = exchange.requestHeaders.fields.map { .init(name: $0.name, value: $0.value) }
        let query = exchange.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        queryString = Form(query ?? "").pairs.map { .init(name: $0.name, value: $0.value) }
        postData = exchange.requestBody.text.map {
            .init(mimeType: exchange.requestHeaders["Content-Type"] ?? "", text: $0)
        }
        bodySize = exchange.requestBody.fullCount
    }
}

extension Archive.Answered {
    fileprivate init(_ exchange: JournalEntry.Exchange) {
        (status, statusText) = (exchange.status, Status(code: exchange.status).reason)
        headers = exchange.responseHeaders.fields.map { .init(name: $0.name, value: $0.value) }
        let body = exchange.responseBody
        let text = String(validating: body.bytes, as: UTF8.self)
        content = .init(
            size: body.fullCount, mimeType: exchange.responseHeaders["Content-Type"] ?? "",
            text: body.bytes.isEmpty ? nil : text ?? Data(body.bytes).base64EncodedString(),
            encoding: text == nil ? "base64" : nil)
        redirectURL = exchange.responseHeaders["Location"] ?? ""
        bodySize = body.fullCount
    }
}
