import Essentials
import HTTP

/// What a recording takes for granted, and the world does not have: people, clients.
package struct Need: Sendable, Hashable {
    /// A full sentence that names it.
    package let sentence: String
    /// What to add to a fixture file.
    package let line: String
}

extension Need {
    /// What is seen in a recording and cannot be made.
    ///
    /// - Parameter reason: a sentence, or the beginning of one.
    package init(_ made: Made, refused reason: String) {
        self.init(
            sentence:
                "\(made.sentence) It cannot be made as it is seen: \(reason). Add it to your fixtures:",
            line: made.line)
    }
}

extension Need {
    /// What requests that do not agree name, and the fixtures do not.
    ///
    /// - Parameter fixtures: those of the world as text.
    package static func all(in exchanges: [Exchange], _ findings: [Finding], fixtures: String) -> [Need] {
        let verdicts = Dictionary(findings.map { ($0.number, $0) }) { first, _ in first }
        var (needs, named): ([Need], Set<String>) = ([], [])
        for exchange in exchanges {
            guard let finding = verdicts[exchange.number], let platform = finding.platform, finding.isOdd
            else { continue }
            for (kind, value) in Self.named(by: exchange.request)
            where !fixtures.contains(JSONValue.string(value).text) {
                guard !named.contains(value),
                    let need = need(kind, value, platform, exchange.request, needs.count + 1)
                else { continue }
                named.insert(value)
                needs.append(need)
            }
        }
        return needs
    }

    private enum Kind { case client, person }

    /// Clients and addresses that a request names.
    private static func named(by request: RecordedRequest) -> [(Kind, String)] {
        var named: [(Kind, String)] = []
        let query = Form(WebAddress(request.url)?.query ?? "").pairs
        let form = request.content.fields.pairs
        for (name, value) in query + form where name == "client_id" { named.append((.client, value)) }
        if let basic = request.headers["Authorization"], basic.asciiLowercased.hasPrefix("basic "),
            let packed = PackedText.unpacked(String(basic.dropFirst(6))),
            let name = packed.text.split(separator: ":").first
        {
            named.append((.client, String(name)))
        }
        let body = GivenValues(headers: request.headers, body: request.body).values.map(\.value)
        named += (body + (query + form).map(\.value)).filter { Shape($0) == .email }.map { (.person, $0) }
        return named
    }

    /// - Parameter number: makes an id that no other line has.
    private static func need(
        _ kind: Kind, _ value: String, _ platform: String, _ request: RecordedRequest, _ number: Int
    ) -> Need? {
        let name = JSONValue.string(value).text
        let sentence =
            "The recording has the client \(name), and the world has none of that name. Add it to your fixtures:"
        switch (kind, platform) {
        case (.client, "onegini"):
            return Need(
                sentence: sentence,
                line: "{\"onegini\": {\"oauth\": {\"clients\": [\(client(name, request))]}}}")
        case (.person, "hanko"):
            let id = userID(number)
            return Need(
                sentence:
                    "The recording has the person \(name), and the world has nobody with that address. Add them to your fixtures:",
                line: "{\"hanko\": {\"users\": [{\"id\": \"\(id)\", \"emails\": [{\"address\": \(name)}]}]}}")
        case (.client, _):
            return Need(
                sentence: sentence, line: "{\"\(platform)\": …}, as the page of the platform shows it")
        case (.person, _): return nil
        }
    }

    /// A UUID of version 4 that no other line has.
    ///
    /// - Parameter series: 0 for lines, 1 for what is made.
    static func userID(_ number: Int, series: Int = 0) -> String {
        let digits = String(number)
        return "0000000\(series)-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count))
            + digits
    }

    /// The secret is left to whoever writes the file: a report is shown around.
    private static func client(_ name: String, _ request: RecordedRequest) -> String {
        let form = request.content.fields
        let uri = Form(WebAddress(request.url)?.query ?? "")["redirect_uri"] ?? form["redirect_uri"]
        let uris = uri.map { ", \"redirect_uris\": [\(JSONValue.string($0).text)]" } ?? ""
        let isSecret = request.headers["Authorization"] != nil || form["client_secret"] != nil
        let secret =
            isSecret ? "\"client_secret\": \"its secret\"" : "\"token_endpoint_auth_method\": \"none\""
        return "{\"client_id\": \(name), \(secret)\(uris)}"
    }
}

extension Finding {
    /// Whether something was not as in the recording.
    fileprivate var isOdd: Bool {
        switch verdict {
        case .differs, .follows: true
        default: false
        }
    }
}
