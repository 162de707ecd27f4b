import Essentials
import HTTP
import PlatformKit

/// One entry, read member by member.
struct HAREntry {
    private let entry: SpelledJSON
    private let number: Int
    /// Seconds from which on a request is taken for one that waited.
    private static let patience = 0.5

    init(_ entry: SpelledJSON, number: Int) {
        (self.entry, self.number) = (entry, number)
    }

    func exchange(isOurs: Bool) throws(RecordingUnreadable) -> Exchange {
        let request = try read(request: try part("request", of: entry))
        let response = try answer()
        let time = entry["time"]?.number ?? 0
        let started = try startedAt()
        // Some writers say -1 of what they do not know.
        let seconds = time.isFinite ? min(max(time, 0) / 1000, 86_400) : 0
        return Exchange(
            number: number, startedAt: started, seconds: seconds,
            playedAt: isOurs
                ? Self.answered(started, seconds)
                : seconds > Self.patience ? started.adding(seconds: seconds) : started,
            takenAt: isOurs ? entry["_taken"]?.number : nil,
            isPassed: isOurs && entry["_upstream"]?.string != nil,
            // Over HTTP/2 it is agreed on by 200. Source: RFC 8441 §5.
            isWebSocket: response.status == 101
                || 200..<300 ~= response.status
                    && (entry["_webSocketMessages"]?.array != nil
                        || entry["_resourceType"]?.string == "websocket"),
            request: request, response: response)
    }

    /// Nothing where the connection broke, which writers say as null, 0 or -1.
    private func answer() throws(RecordingUnreadable) -> RecordedResponse {
        guard let response = entry["response"], response != .null else {
            return RecordedResponse(status: 0, headers: Headers(), body: [], isCut: false)
        }
        return try read(response: part("response", of: entry))
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
        guard let url = request["url"]?.string, url.isAbsoluteURL else {
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
            method: method.asciiUppercased, url: String(url.prefix { $0 != "#" }).asHTTP, headers: headers,
            body: body,
            isCut: !isWhole || isShort(body, of: request["bodySize"]))
    }

    private func read(response: SpelledJSON) throws(RecordingUnreadable) -> RecordedResponse {
        let number = response["status"].flatMap { $0 == .null ? 0 : $0.number } ?? .nan
        guard let code = Int(exactly: number), code <= 599 else {
            throw fault("“response.status” must be a status code")
        }
        let status = max(0, code)
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
        guard let size = size?.number, size > 0 else {
            return size?.number == -1 && body.isEmpty && comment.contains(JournalBody.unkept)
        }
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
        guard let list = value["headers"], list != .null else { return headers }
        guard case .array(let elements) = list else {
            throw fault("“\(place).headers” must be an array, not \(list.kind)")
        }
        for element in elements {
            guard let name = element["name"]?.string, let text = element["value"]?.scalar else {
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
        let type = (posted["mimeType"]?.string ?? "").asciiLowercased
        if let text = posted["text"]?.string, !text.isEmpty {
            let body = try bytes(of: posted)
            return (type.hasPrefix("application/x-www-form-urlencoded") ? body.withoutHead : body, true)
        }
        guard let params = posted["params"]?.array, !params.isEmpty else { return ([], true) }
        // Files of a form are named, and not there.
        guard !type.hasPrefix("multipart/") else { return ([], false) }
        let pairs = params.compactMap { param in
            param["name"]?.string.map { (name: $0, value: param["value"]?.string ?? "") }
        }
        if let json = Self.misread(pairs) { return (json, true) }
        let decoded = pairs.map { (name: Form.decode($0.name), value: Form.decode($0.value)) }
        return (Array(Form.encode(decoded).utf8), true)
    }

    /// The object of JSON that a writer took for pairs, because the app called it a form; nil where they are pairs.
    private static func misread(_ pairs: [(name: String, value: String)]) -> [UInt8]? {
        guard let first = pairs.first?.name, first[...].percentDecoded.hasPrefix("{") else { return nil }
        let text = pairs.map { $0.value.isEmpty ? $0.name : $0.name + "=" + $0.value }.joined(separator: "&")
        return [text, text[...].percentDecoded].map { Array($0.utf8) }.first {
            SpelledJSON($0)?.members != nil
        }
    }

    private func bytes(of content: SpelledJSON) throws(RecordingUnreadable) -> [UInt8] {
        guard case .object = content else { throw fault("a body must be an object, not \(content.kind)") }
        // mitmproxy writes null for what it cannot decode.
        guard let text = content["text"], text != .null else { return [] }
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

extension SpelledJSON {
    /// A text, also where a writer has a number or null in its place.
    fileprivate var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null: ""
        case .boolean, .array, .object: nil
        }
    }
}

extension String {
    /// Whether it begins with a scheme; browsers have `data:` and `blob:` among their requests, and proxies what was asked of CONNECT,
    /// `host:443`. Source: RFC 3986 §3.1.
    fileprivate var isAbsoluteURL: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon > startIndex else { return false }
        return utf8[..<colon].allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "+") }
    }

    /// The address that is asked to open a web socket. Source: RFC 6455 §3, §4.1.
    fileprivate var asHTTP: String {
        for (scheme, plain) in [("ws://", "http://"), ("wss://", "https://")] where hasPrefix(scheme) {
            return plain + dropFirst(scheme.count)
        }
        return self
    }
}

extension [UInt8] {
    /// A form without the fields that Firefox has before it, where the page gave them with the body.
    fileprivate var withoutHead: [UInt8] {
        let text = String(decoding: prefix(1024), as: UTF8.self)
        guard text.asciiLowercased.hasPrefix("content-"), let end = text.firstRange(of: "\r\n\r\n") else {
            return self
        }
        return Array(dropFirst(text.utf8.distance(from: text.startIndex, to: end.upperBound)))
    }
}
