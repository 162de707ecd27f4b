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
        let cookies: [Pair]
        let headers: [Pair]
        let queryString: [Pair]
        let postData: Posted?
        let headersSize = -1
        let bodySize: Int
    }

    struct Posted: Encodable {
        let mimeType: String
        let text: String
        /// `base64` where the text is so; HAR has this of contents alone.
        let encoding: String?
        /// That the text is not all of the body.
        let comment: String?
    }

    /// A cookie that an answer set. Source: HTTP Archive 1.2, `cookies`; RFC 6265 §5.2.
    struct SetCookie: Encodable {
        let name: String
        let value: String
        var path: String?
        var domain: String?
        /// ISO 8601. Of `Max-Age`; none of our servers sends `Expires`.
        var expires: String?
        var httpOnly = false
        var secure = false
        /// As browsers write it into their archives.
        var sameSite: String?
    }

    struct Answered: Encodable {
        let status: Int
        let statusText: String
        let httpVersion = "HTTP/1.1"
        let cookies: [SetCookie]
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
        /// That the text is not all of the body.
        let comment: String?
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
        (request, response) = (.init(exchange, origin), .init(exchange, at: entry.at))
        comment = entry.explanation
    }
}

extension Archive.Sent {
    fileprivate init(_ exchange: JournalEntry.Exchange, _ origin: String) {
        (method, url) = (exchange.method, exchange.url(from: origin))
        headers = exchange.requestHeaders.fields.map { .init(name: $0.name, value: $0.value) }
        let query = exchange.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        queryString = Form(query ?? "").pairs.map { .init(name: $0.name, value: $0.value) }
        cookies = exchange.requestHeaders.values(of: "Cookie").flatMap(Archive.Pair.cookies)
        postData = exchange.requestBody.archived.map {
            .init(
                mimeType: exchange.requestHeaders["Content-Type"] ?? "", text: $0.text, encoding: $0.encoding,
                comment: exchange.requestBody.cut)
        }
        bodySize = exchange.requestBody.fullCount
    }
}

extension Archive.Answered {
    fileprivate init(_ exchange: JournalEntry.Exchange, at time: Date) {
        (status, statusText) = (exchange.status, Status(code: exchange.status).reason)
        headers = exchange.responseHeaders.fields.map { .init(name: $0.name, value: $0.value) }
        let body = exchange.responseBody
        let shown = body.archived
        content = .init(
            size: body.fullCount, mimeType: exchange.responseHeaders["Content-Type"] ?? "",
            text: shown?.text, encoding: shown?.encoding, comment: body.cut)
        cookies = exchange.responseHeaders.values(of: "Set-Cookie").compactMap {
            Archive.SetCookie($0, at: time)
        }
        redirectURL = exchange.responseHeaders["Location"] ?? ""
        bodySize = body.fullCount
    }
}

extension JournalBody {
    /// What is kept of it, as text or as base64; nil for an empty body. A character that the cut went through is left out.
    fileprivate var archived: (text: String, encoding: String?)? {
        if bytes.isEmpty { return nil }
        for lost in 0..<(fullCount > bytes.count ? 4 : 1) {
            if let text = String(validating: bytes.dropLast(lost), as: UTF8.self) { return (text, nil) }
        }
        return (Data(bytes).base64EncodedString(), "base64")
    }

    fileprivate var cut: String? {
        fullCount > bytes.count ? "The first \(bytes.count) of \(fullCount) bytes." : nil
    }
}

extension Substring {
    /// Without spaces and tabs around it.
    fileprivate var withoutBlanks: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return String(text)
    }
}

extension Archive.Pair {
    /// Those of a field `Cookie`, in its order. Source: RFC 6265 §4.2.
    static func cookies(_ field: String) -> [Self] {
        field.split(separator: ";").compactMap { part -> Self? in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.count == 2 ? Self(name: pair[0].withoutBlanks, value: pair[1].withoutBlanks) : nil
        }
    }
}

extension Archive.SetCookie {
    /// - Parameters:
    ///   - field: the value of a field `Set-Cookie`; nil for one without a name.
    ///   - time: of the answer.
    init?(_ field: String, at time: Date) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard let pair = parts.first.map(Archive.Pair.cookies)?.first, !pair.name.isEmpty else { return nil }
        (name, value) = (pair.name, pair.value)
        for part in parts.dropFirst() {
            let attribute = part.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
            guard let word = attribute.first else { continue }
            take(word.lowercased(), attribute.count > 1 ? attribute[1] : "", at: time)
        }
    }

    private mutating func take(_ attribute: String, _ value: String, at time: Date) {
        switch attribute {
        case "path": path = value
        case "domain": domain = value
        case "max-age": expires = Int(value).map { Timestamp.text(time.addingTimeInterval(Double($0))) }
        case "httponly": httpOnly = true
        case "secure": secure = true
        case "samesite": sameSite = value
        default: break
        }
    }
}
