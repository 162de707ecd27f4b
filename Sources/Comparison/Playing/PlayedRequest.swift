import Essentials
import HTTP
import PlatformKit

/// A recorded request as it is sent to a world of ours.
struct PlayedRequest {
    let method: Request.Method
    let url: String
    private(set) var headers = Headers()
    private(set) var body: [UInt8] = []
    /// The exchange whose answer it carries a value of that our answer does not have.
    private(set) var follows: Int?
    /// Recorded codes, and those of our outbox that took their place.
    private(set) var codes: [(recorded: String, ours: String)] = []
    /// Whether it carries a code that was right there and that nobody was sent here, such as one of an authenticator app.
    private(set) var hasForeignCode = false
    /// Whether its code is the newest of several that were sent: the recording does not tell which of them it was.
    private(set) var hasCodeOfSeveral = false
    /// Whether its code was refused there, and one like it was sent here.
    private(set) var hasRefusedCode = false
    /// What a key of ours signed in the place of a device's, in the words of ``DeviceProof``.
    private(set) var signed: Set<String> = []
    /// Whether a phone of ours made all that a phone makes of it.
    var isMadeByPhone = false
    /// Why it cannot be made again, without a full stop; nil for one that can be, or needs not.
    var obstacle: String?
    /// Why a refusal there may have been right although ours is none, without a full stop.
    var doubt: String?

    /// Fields of a connection, or of what sends it. Source: RFC 9110 §7.6.1.
    private static let dropped: Set = [
        "host", "content-length", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade",
        "expect", "accept-encoding", "proxy-connection", "proxy-authorization", "x-understudy-explain",
    ]

    /// - Parameters:
    ///   - home: base URL of the mount in the world.
    ///   - told: how the client reached the proxy in front of the recorded service.
    ///   - cookies: names of cookies, there and here.
    ///   - codes: another value for a member of this name, where one was sent by mail; nil for none.
    init(
        _ recorded: RecordedRequest, at place: Bases.Place, home: String, told: ToldAddress?,
        cookies: CookieNames, _ substitution: Substitution,
        codes: @escaping (_ name: String, _ value: String) -> MailedCodes.Found
    ) {
        var rewriter = Rewriter(substitution: substitution, codes: codes)
        method = Request.Method(rawValue: recorded.method)
        url = home + rewriter.path(place.path) + (place.query.map { "?" + rewriter.form($0) } ?? "")
        for field in recorded.headers.fields where !Self.dropped.contains(field.name.asciiLowercased) {
            if told != nil, ToldAddress.fields.contains(field.name.asciiLowercased) { continue }
            let ours = rewriter.field(field.name, field.value)
            headers.add(field.name, field.name.equalsIgnoringCase("Cookie") ? cookies.sent(ours) : ours)
        }
        if let told, let here = WebAddress(home) { headers.add(told, at: here.authority) }
        headers.add("X-Understudy-Explain", "1")
        body = rewriter.body(recorded.body, recorded.headers.mediaType)
        follows = rewriter.follows
        self.codes = rewriter.used
        hasForeignCode = rewriter.hasForeignCode
        hasCodeOfSeveral = rewriter.hasCodeOfSeveral
        hasRefusedCode = rewriter.hasRefusedCode
    }

    /// Puts in what a key of ours made.
    ///
    /// - Parameter words: what that is, in the words of ``DeviceProof``.
    mutating func sign(field name: String, _ value: String, _ words: String) {
        headers[name] = value
        signed.insert(words)
    }

    mutating func sign(body: [UInt8], _ words: String) {
        self.body = body
        signed.insert(words)
    }

    mutating func replace(body json: SpelledJSON) { body = Array(json.text.utf8) }

    mutating func replace(field name: String, _ value: String) { headers[name] = value }

    /// In a body of JSON.
    mutating func replace(member name: String, _ value: SpelledJSON) {
        if let json = SpelledJSON(body) { replace(body: json.with(name, value)) }
    }
}

extension Headers {
    /// What a proxy tells that is asked at our own name.
    fileprivate mutating func add(_ told: ToldAddress, at authority: String) {
        add("X-Forwarded-Proto", told.scheme)
        add("X-Forwarded-Host", authority)
        if !told.prefix.isEmpty { add("X-Forwarded-Prefix", told.prefix) }
    }
}

/// Puts our values into the parts of a request, and leaves a part as it was recorded, byte by byte, where nothing changes.
private struct Rewriter {
    let substitution: Substitution
    let codes: (_ name: String, _ value: String) -> MailedCodes.Found
    var hasForeignCode = false
    var hasCodeOfSeveral = false
    var hasRefusedCode = false
    var follows: Int?
    var used: [(recorded: String, ours: String)] = []

    init(substitution: Substitution, codes: @escaping (String, String) -> MailedCodes.Found) {
        (self.substitution, self.codes) = (substitution, codes)
    }

    private mutating func value(_ text: String, name: String = "") -> String {
        var missing: Int?
        let ours = substitution.apply(text, follows: &missing)
        follows = follows ?? missing
        // A code that an answer should have given is none of a mail.
        guard ours == text, missing == nil, !name.isEmpty else { return ours }
        switch codes(name, text) {
        case .asRecorded: return text
        case .refused:
            hasRefusedCode = true
            return text
        case .foreign:
            hasForeignCode = true
            return text
        case .ours(let code, let isOneOfSeveral):
            if isOneOfSeveral { hasCodeOfSeveral = true }
            used.append((text, code))
            return code
        }
    }

    mutating func path(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let text = segment.percentDecoded
            let ours = value(text)
            return ours == text ? String(segment) : ours.percentEncoded
        }.joined(separator: "/")
    }

    /// A query, or a body of a form.
    mutating func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let sign = pair.firstIndex(of: "=") else { return String(pair) }
            let recorded = Form.decode(pair[pair.index(after: sign)...])
            let ours = value(recorded, name: Form.decode(pair[..<sign]))
            return ours == recorded ? String(pair) : pair[..<sign] + "=" + ours.percentEncoded
        }.joined(separator: "&")
    }

    mutating func field(_ name: String, _ text: String) -> String {
        if name.equalsIgnoringCase("Origin"), let ours = substitution.ours(origin: text) { return ours }
        return value(text)
    }

    mutating func body(_ bytes: [UInt8], _ type: String) -> [UInt8] {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        switch BodyContent(bytes, called: type) {
        case .json(let json):
            let ours = rewritten(json, "")
            return ours == json ? bytes : Array(ours.text.utf8)
        case .form: return Array(form(text).utf8)
        case .none, .page, .other: return Array(value(text).utf8)
        }
    }

    private mutating func rewritten(_ json: SpelledJSON, _ name: String) -> SpelledJSON {
        switch json {
        case .object(let members):
            .object(members.map { .init(name: $0.name, value: rewritten($0.value, $0.name)) })
        case .array(let elements): .array(elements.map { rewritten($0, name) })
        case .string(let text): .string(value(text, name: name))
        case .number(let text): .number(substitution.applyNumber(text))
        case .boolean, .null: json
        }
    }
}
