import Essentials
import HTTP
import PlatformKit

/// Reads an HTTP archive as browsers, proxies and this program write them.
///
/// What a writer leaves out is taken from where else it stands: bodies as text or Base64, forms as parameters, cookies from their lists.
/// Source: HTTP Archive 1.2, sections “log” to “content”.
package struct HARReader {
    /// Bytes of a file.
    package static let fileLimit = 128 << 20
    /// Requests of a file.
    package static let entryLimit = 20_000

    /// The requests in the order in which a client got their answers: what waited long is answered by what came meanwhile.
    ///
    /// - Throws: ``RecordingUnreadable``.
    package static func exchanges(in bytes: [UInt8]) throws(RecordingUnreadable) -> [Exchange] {
        guard bytes.count <= fileLimit else {
            throw RecordingUnreadable(
                "it has more than \(fileLimit >> 20) MiB, which is too much for a recording")
        }
        let (entries, isOurs) = try entries(in: bytes)
        var exchanges: [Exchange] = []
        for (index, entry) in entries.enumerated() {
            exchanges.append(try HAREntry(entry, number: index + 1).exchange(isOurs: isOurs))
        }
        // Our own journal is in the order of its answers, whatever the clock of its world says.
        return isOurs ? exchanges : exchanges.sorted { ($0.playedAt, $0.number) < ($1.playedAt, $1.number) }
    }

    private static func entries(in bytes: [UInt8]) throws(RecordingUnreadable) -> (
        [SpelledJSON], isOurs: Bool
    ) {
        let root: SpelledJSON
        do {
            root = try SpelledJSONReader.value(of: bytes)
        } catch {
            throw RecordingUnreadable("this is no HTTP archive: \(error.reason)")
        }
        guard case .object = root else {
            throw RecordingUnreadable("this is no HTTP archive: it is \(root.kind), not an object")
        }
        guard let log = root["log"] else {
            throw RecordingUnreadable("this is no HTTP archive: it has no member “log”")
        }
        guard case .object = log else {
            throw RecordingUnreadable("“log” must be an object, not \(log.kind)")
        }
        guard let entries = log["entries"] else { throw RecordingUnreadable("“log” has no member “entries”") }
        guard case .array(let list) = entries else {
            throw RecordingUnreadable("“log.entries” must be an array, not \(entries.kind)")
        }
        guard list.count <= entryLimit else {
            throw RecordingUnreadable(
                "it has \(list.count) entries, more than \(entryLimit); cut it into parts")
        }
        return (list, log["creator"]?["name"]?.string == "Understudy")
    }
}

/// One entry, read member by member.
private struct HAREntry {
    private let entry: SpelledJSON
    private let number: Int
    /// Seconds from which on a request is taken for one that waited.
    private static let patience = 0.5

    init(_ entry: SpelledJSON, number: Int) {
        (self.entry, self.number) = (entry, number)
    }

    func exchange(isOurs: Bool) throws(RecordingUnreadable) -> Exchange {
        let request = try part("request", of: entry)
        let response = try part("response", of: entry)
        let time = entry["time"]?.number ?? 0
        let started = try startedAt()
        // Some writers say -1 of what they do not know.
        let seconds = time.isFinite ? min(max(time, 0) / 1000, 86_400) : 0
        return Exchange(
            number: number, startedAt: started, seconds: seconds,
            playedAt: isOurs
                ? Self.answered(started, seconds)
                : seconds > Self.patience ? started.adding(seconds: seconds) : started,
            isPassed: isOurs && entry["_upstream"]?.string != nil,
            request: try read(request: request),
            response: try read(response: response))
    }

    /// When our journal has it: by the clock of its world, which may stand still, less the milliseconds that it took is the start.
    private static func answered(_ start: Date, _ seconds: Double) -> Date {
        let milliseconds = ((start.timeIntervalSince1970 + seconds) * 1000).rounded()
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    private func startedAt() throws(RecordingUnreadable) -> Date {
        guard let text = entry["startedDateTime"]?.string, let date = Timestamp.parseLeniently(text),
            Date.writable.contains(date)
        else {
            throw fault("“startedDateTime” must be a time such as 2026-01-02T03:04:05.678Z, from 1970 on")
        }
        return date
    }

    private func part(_ name: String, of value: SpelledJSON) throws(RecordingUnreadable) -> SpelledJSON {
        guard let part = value[name] else { throw fault("it has no member “\(name)”") }
        guard case .object = part else { throw fault("“\(name)” must be an object, not \(part.kind)") }
        return part
    }

    private func fault(_ reason: String) -> RecordingUnreadable {
        RecordingUnreadable("entry \(number): \(reason)")
    }

    private func read(request: SpelledJSON) throws(RecordingUnreadable) -> RecordedRequest {
        guard let method = request["method"]?.string, !method.isEmpty,
            method.utf8.allSatisfy({ $0.isUnreserved })
        else { throw fault("“request.method” must be the name of a method") }
        guard let url = request["url"]?.string, url.contains("://") else {
            throw fault("“request.url” must be an absolute URL")
        }
        var headers = try fields("request", of: request)
        if headers["Cookie"] == nil, let sent = cookies(of: request) { headers.add("Cookie", sent) }
        let posted = request["postData"]
        let (body, isWhole) =
            try posted.map { posted throws(RecordingUnreadable) in try self.posted(posted) } ?? ([], true)
        if headers["Content-Type"] == nil, let type = posted?["mimeType"]?.string, !type.isEmpty,
            !body.isEmpty
        {
            headers.add("Content-Type", type)
        }
        return RecordedRequest(
            method: method.asciiUppercased, url: String(url.prefix { $0 != "#" }), headers: headers,
            body: body,
            isCut: !isWhole || isShort(body, of: request["bodySize"]))
    }

    private func read(response: SpelledJSON) throws(RecordingUnreadable) -> RecordedResponse {
        guard let number = response["status"]?.number, let status = Int(exactly: number), 0...599 ~= status
        else {
            throw fault("“response.status” must be a status code")
        }
        var headers = try fields("response", of: response)
        let content = response["content"]
        if headers["Content-Type"] == nil, let type = content?["mimeType"]?.string, !type.isEmpty,
            // What Firefox and Chromium say of an answer without one.
            type != "x-unknown", type != "application/x-unknown"
        {
            headers.add("Content-Type", type)
        }
        if headers["Location"] == nil, 300..<400 ~= status, let url = response["redirectURL"]?.string,
            !url.isEmpty
        {
            headers.add("Location", url)
        }
        if headers["Set-Cookie"] == nil {
            for cookie in response["cookies"]?.array ?? [] {
                cookie.asSetCookie.map { headers.add("Set-Cookie", $0) }
            }
        }
        let body = try content.map { content throws(RecordingUnreadable) in try bytes(of: content) } ?? []
        return RecordedResponse(
            status: status, headers: headers, body: body, isCut: isShort(body, of: content?["size"]))
    }

    /// Whether there was more than the recording has. Sizes are of what came over the wire, or of what it was unpacked to, as the
    /// writer likes: less than it says is cut where the text is empty or a writer says how much it left out.
    private func isShort(_ body: [UInt8], of size: SpelledJSON?) -> Bool {
        guard let size = size?.number, size > 0 else { return false }
        return body.isEmpty
            || Double(body.count) < size && comment.contains(" of \(Int(saturating: size)) bytes")
    }

    /// What this program says of a body that it kept the beginning of.
    private var comment: String {
        [entry["request"]?["postData"]?["comment"], entry["response"]?["content"]?["comment"]]
            .compactMap { $0?.string }.joined(separator: " ")
    }

    /// Fields without pseudo fields of HTTP/2 (RFC 9113 §8.3), and with one field for each line that a writer joined.
    private func fields(_ place: String, of value: SpelledJSON) throws(RecordingUnreadable) -> Headers {
        var headers = Headers()
        guard let list = value["headers"] else { return headers }
        guard case .array(let elements) = list else {
            throw fault("“\(place).headers” must be an array, not \(list.kind)")
        }
        for element in elements {
            guard let name = element["name"]?.string, let text = element["value"]?.string else {
                throw fault("“\(place).headers” must have objects with “name” and “value”")
            }
            if name.hasPrefix(":") || name.isEmpty { continue }
            // Chromium joins several by line feeds.
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                headers.add(name, String(line))
            }
        }
        return headers
    }

    private func cookies(of request: SpelledJSON) -> String? {
        let pairs = (request["cookies"]?.array ?? []).compactMap { cookie in
            cookie["name"]?.string.map { "\($0)=\(cookie["value"]?.string ?? "")" }
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// - Returns: also whether it is there.
    private func posted(_ posted: SpelledJSON) throws(RecordingUnreadable) -> ([UInt8], Bool) {
        guard case .object = posted else { return ([], true) }
        if let text = posted["text"]?.string, !text.isEmpty { return (try bytes(of: posted), true) }
        guard let params = posted["params"]?.array, !params.isEmpty else { return ([], true) }
        let type = (posted["mimeType"]?.string ?? "").asciiLowercased
        // Files of a form are named, and not there.
        guard type.hasPrefix("application/x-www-form-urlencoded") || type.isEmpty else { return ([], false) }
        let pairs = params.compactMap { param in
            param["name"]?.string.map {
                (name: Form.decode($0), value: Form.decode(param["value"]?.string ?? ""))
            }
        }
        return (Array(Form.encode(pairs).utf8), true)
    }

    private func bytes(of content: SpelledJSON) throws(RecordingUnreadable) -> [UInt8] {
        guard case .object = content else { throw fault("a body must be an object, not \(content.kind)") }
        guard let text = content["text"] else { return [] }
        guard let text = text.string else {
            throw fault("the text of a body must be a string, not \(text.kind)")
        }
        guard content["encoding"]?.string?.asciiLowercased == "base64" else { return Array(text.utf8) }
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
            throw fault("a body says that it is Base64, and is not")
        }
        return Array(data)
    }
}

extension SpelledJSON {
    /// A cookie of a list as a server sends it; nil without a name. Source: HTTP Archive 1.2, “cookies”; RFC 6265 §4.1.
    fileprivate var asSetCookie: String? {
        guard let name = self["name"]?.string, !name.isEmpty else { return nil }
        var parts = [name + "=" + (self["value"]?.string ?? "")]
        if let path = self["path"]?.string, !path.isEmpty { parts.append("Path=" + path) }
        if let domain = self["domain"]?.string, !domain.isEmpty { parts.append("Domain=" + domain) }
        if let expires = self["expires"]?.string, !expires.isEmpty { parts.append("Expires=" + expires) }
        if self["httpOnly"] == .boolean(true) { parts.append("HttpOnly") }
        if self["secure"] == .boolean(true) { parts.append("Secure") }
        if let site = self["sameSite"]?.string, !site.isEmpty { parts.append("SameSite=" + site) }
        return parts.joined(separator: "; ")
    }
}
