import Essentials
import HTTP
import Upstream

/// Answers of a hostile service on their way through a mount, and requests on their way to it: addresses, fields, and what is kept of them.
struct UpstreamSubject: Subject {
    static let name = "upstream"
    static let memoryMiB: Int? = 300

    private static let via = "understudy-fuzz"
    private let passages: [(passage: Passage, ours: String, theirs: String)] = [
        make("http://localhost:8420/hanko", "https://tenant.example"),
        make("https://localhost:8420/w/a/hanko", "http://127.0.0.1:8000/base"),
        make("http://hanko.localhost:8420", "https://tenant.example/base"),
        make("http://[::1]:1/oauth", "https://[2001:db8::1]:8443"),
    ]

    private static func make(_ ours: String, _ theirs: String) -> (Passage, String, String) {
        do {
            let others = [
                AddressTable.Pair(ours: "http://localhost:8420/oauth", theirs: "https://login.example/as")
            ]
            return (
                try Passage(ours: ours, to: Upstream(url: theirs), others: others, via: via), ours, theirs
            )
        } catch {
            preconditionFailure("\(theirs) is no upstream: \(error)")
        }
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let (passage, ours, theirs) = random.pick(passages)
        let types = [
            "text/html", "application/json", "application/x-www-form-urlencoded", "text/plain", "image/png",
        ]
        var headers: Headers = [
            "Content-Type": random.pick(types), "Set-Cookie": text(input), "Location": text(input),
        ]
        var body = input
        if let answer = answer(in: input) { (headers, body) = answer }
        try checkAnswer(headers, body, passage, ours, theirs)
        try checkTable(body, passage)
        try checkMasks(headers, body)
        checkUpstream(input)
        try checkRequest(input, passage, theirs)
    }

    /// As it can stand in a field: the parser of answers refuses the rest.
    private func text(_ input: [UInt8]) -> String {
        String(decoding: input.filter { $0 >= 0x20 && $0 != 0x7F }.prefix(500), as: UTF8.self)
    }

    private func answer(in input: [UInt8]) -> (Headers, [UInt8])? {
        var parser = ResponseParser(answering: .get, headBytes: 8000, bodyBytes: 8000)
        input.withUnsafeBytes { parser.append($0) }
        var (headers, body): (Headers?, [UInt8]) = (nil, [])
        do {
            var isClosed = false
            while true {
                switch try parser.next() {
                case .needsMore:
                    guard !isClosed else { return headers.map { ($0, body) } }
                    try parser.close()
                    isClosed = true
                case .head(let head): headers = head.headers
                case .body(let piece): body += piece
                case .end: return headers.map { ($0, body) }
                }
            }
        } catch {
            return headers.map { ($0, body) }
        }
    }

    /// Fields of a connection.
    private static let hopByHop = [
        "connection", "keep-alive", "transfer-encoding", "upgrade", "content-length",
    ]
    /// And what would send a browser around us.
    private static let neverAnswered = hopByHop + ["strict-transport-security", "alt-svc"]

    private func checkAnswer(
        _ headers: Headers, _ body: [UInt8], _ passage: Passage, _ ours: String, _ theirs: String
    ) throws(Violation) {
        let made = passage.ours(headers)
        for field in made.fields {
            guard !Self.neverAnswered.contains(field.name.asciiLowercased) else {
                throw Violation("\(field.name) is passed on")
            }
            try checkField(field)
            if field.name.equalsIgnoringCase("Location"), field.value.hasPrefix(theirs + "/") {
                throw Violation("Location leads to the service: \(field.value)")
            }
            if field.name.equalsIgnoringCase("Set-Cookie") { try checkCookie(field.value, ours, theirs) }
        }
        let whole = passage.ours(body, headers)
        guard passage.ours(whole, headers).count >= 0, passage.isRewritten(headers) || whole == body else {
            throw Violation("a body that is no text was changed")
        }
        _ = passage.remark(on: headers)
    }

    private func checkField(_ field: Headers.Field) throws(Violation) {
        let isBroken = (field.name + field.value).utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        guard !isBroken, !field.name.isEmpty else { throw Violation("the field \(field)") }
    }

    private func checkCookie(_ value: String, _ ours: String, _ theirs: String) throws(Violation) {
        let attributes = value.split(separator: ";").dropFirst().map {
            $0.drop { $0 == " " }.asciiLowercased
        }
        let name = value.prefix { $0 != "=" && $0 != ";" }.asciiLowercased
        let domains = ["domain=tenant.example", "domain=.tenant.example"]
        if theirs.contains("//tenant.example"), attributes.contains(where: domains.contains) {
            throw Violation("a cookie for the service's domain: \(value)")
        }
        if ours.hasPrefix("http:"), !name.contains("__"), attributes.contains("secure") {
            throw Violation("a cookie for TLS alone: \(value)")
        }
    }

    /// Exchanged once, no address of theirs is left to exchange.
    private func checkTable(_ body: [UInt8], _ passage: Passage) throws(Violation) {
        let once = passage.table.ours(body)
        guard passage.table.ours(once) == once else {
            throw Violation("exchanged twice, it is another text: \(String(decoding: once, as: UTF8.self))")
        }
        let back = passage.table.theirs(body)
        guard passage.table.theirs(back) == back else {
            throw Violation(
                "exchanged back twice, it is another text: \(String(decoding: back, as: UTF8.self))")
        }
    }

    private func checkMasks(_ headers: Headers, _ body: [UInt8]) throws(Violation) {
        let mask = SecretMask()
        let kept = mask.masked(headers)
        guard mask.masked(kept) == kept, kept.fields.count == headers.fields.count else {
            throw Violation("masked twice, the fields are others: \(kept)")
        }
        let target = String(decoding: body.prefix(2000), as: UTF8.self)
        let masked = mask.masked(target: target)
        guard mask.masked(target: masked) == masked else {
            throw Violation("masked twice, the address is another: \(masked)")
        }
        for type in ["text/html", "application/x-www-form-urlencoded", headers["Content-Type"] ?? ""] {
            _ = mask.masked(body, type, inRequest: true)
        }
        // What has a member twice, or is no JSON, is only asked to be masked at all.
        let json = mask.masked(body, "application/json", inRequest: false)
        guard let before = try? JSONValue(parsing: body) else { return }
        guard let after = try? JSONValue(parsing: json) else {
            throw Violation("masked, it is no JSON: \(String(decoding: json, as: UTF8.self))")
        }
        try checkMasked(before, after, mask, isSecret: false)
    }

    /// Secrets are masked, and everything else stays.
    private func checkMasked(_ before: JSONValue, _ after: JSONValue, _ mask: SecretMask, isSecret: Bool)
        throws(Violation)
    {
        switch (before, after) {
        case (.object(let before), .object(let after)):
            // A name may be an address.
            if before.keys.contains(where: { $0.contains("=") }) { return }
            guard before.keys.sorted() == after.keys.sorted() else {
                throw Violation("masked, other members: \(after)")
            }
            for (name, value) in before {
                let isSecret = mask.isSecret(name.utf8, inRequest: false) || isSecret && name == "value"
                try checkMasked(value, after[name] ?? .null, mask, isSecret: isSecret)
            }
        case (.array(let before), .array(let after)):
            guard before.count == after.count else { throw Violation("masked, another list: \(after)") }
            for (one, other) in zip(before, after) { try checkMasked(one, other, mask, isSecret: isSecret) }
        case (.string(let text), .string(let kept)):
            if isSecret, !text.isEmpty, !kept.hasPrefix("masked-") {
                throw Violation("a secret is kept: \(text)")
            }
            let mayChange = isSecret || text.contains("eyJ") || text.contains("=") || text.contains("%")
            if !mayChange, text != kept { throw Violation("what is no secret is masked: \(text)") }
        default:
            let isNumber =
                before.string == nil && before.array == nil && before.object == nil && before != .null
            if isSecret, isNumber, after == before, before.text != "true", before.text != "false" {
                throw Violation("a secret number is kept: \(before)")
            }
            if !isSecret, after != before {
                throw Violation("what is no secret is another: \(before), \(after)")
            }
        }
    }

    /// Any text is an upstream or refused.
    private func checkUpstream(_ input: [UInt8]) {
        // A refusal is as good as an agreement.
        _ = try? Upstream(url: text(input), ca: "-----BEGIN CERTIFICATE-----" + text(input))
    }

    private func checkRequest(_ input: [UInt8], _ passage: Passage, _ theirs: String) throws(Violation) {
        var parser = RequestParser(limits: Limits(), peer: .local) { _, _ in nil }
        input.withUnsafeBytes { parser.append($0) }
        guard case .request(let parsed) = parser.next(),
            // What is not passed on is refused with a sentence.
            let question = try? passage.question(parsed.request, at: parsed.request.path)
        else { return }
        guard question.url.hasPrefix(theirs + "/"),
            !question.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else {
            throw Violation("the request goes to \(question.url)")
        }
        for field in question.headers.fields {
            let name = field.name.asciiLowercased
            guard name != "host", !Self.hopByHop.contains(name), !name.hasPrefix("x-forwarded-")
            else {
                throw Violation("\(field) is sent to the service")
            }
            let names = field.value.split(separator: ";").map { $0.drop { $0 == " " }.prefix { $0 != "=" } }
            if name == "cookie", names.contains("understudy_control") {
                throw Violation("a cookie of ours is sent to the service: \(field.value)")
            }
            try checkField(field)
        }
    }
}
