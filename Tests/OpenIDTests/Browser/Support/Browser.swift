import HTTP
import TestKit

/// Somebody at a browser: keeps cookies, follows redirects as far as the server's own pages go, fills in forms.
final class Browser {
    let bench: TestBench<MountedServer>
    private(set) var cookies: [String: String]
    var secure = false

    init(_ bench: TestBench<MountedServer>, cookies: [String: String] = [:]) {
        (self.bench, self.cookies) = (bench, cookies)
    }

    private var origin: String { secure ? "https://localhost:8420" : "http://localhost:8420" }

    /// - Parameter url: absolute, or a path below the mount.
    func open(_ url: String) -> Visit { go(.get, absolute(url), "") }

    func open(_ path: String, _ query: KeyValuePairs<String, String>) -> Visit {
        open(path + "?" + Self.encoded(query.map { ($0.key, $0.value) }))
    }

    func post(_ path: String, _ fields: KeyValuePairs<String, String>) -> Visit {
        go(.post, absolute(path), Self.encoded(fields.map { ($0.key, $0.value) }))
    }

    /// Sends a form as it stands on the page, with what the person typed and the button that was pressed.
    func submit(
        _ form: PageForm, _ typed: [String: String] = [:], pressing button: (String, String)? = nil
    ) -> Visit {
        var fields = form.fields.map { ($0.name, typed[$0.name] ?? $0.value) }
        if let button { fields.append(button) }
        return go(.post, absolute(form.action), Self.encoded(fields))
    }

    func forgetCookies() { cookies = [:] }

    private func absolute(_ url: String) -> String {
        if url.hasPrefix("/oauth/") { return origin + url }
        return url.hasPrefix("/") ? origin + "/oauth" + url : url
    }

    private func go(_ method: Request.Method, _ url: String, _ body: String) -> Visit {
        var (method, url, body) = (method, url, body)
        for _ in 0..<10 {
            let response = send(method, url, body)
            guard let location = response.headers["Location"].map(absolute) else {
                return Visit(url: url, response)
            }
            guard location.hasPrefix(origin + "/oauth/") else { return Visit(url: location, response) }
            (method, url, body) = (.get, location, "")
        }
        return Visit(url: url, Response(status: 508))
    }

    private func send(_ method: Request.Method, _ url: String, _ body: String) -> Response {
        var headers: Headers = ["User-Agent": "Test Browser"]
        if !cookies.isEmpty {
            headers["Cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                .joined(separator: "; ")
        }
        if secure { headers["X-Forwarded-Proto"] = "https" }
        if method == .post { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        let response = bench.send(
            method, String(url.dropFirst(origin.count)), body: Array(body.utf8), headers: headers)
        for line in response.headers.values(of: "Set-Cookie") { keep(line) }
        return response
    }

    private func keep(_ line: String) {
        let parts = line.split(separator: "; ").map(String.init)
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        cookies[pair[0]] = parts.contains("Max-Age=0") ? nil : pair[1]
    }

    static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(TestBench<MountedServer>.escaped($0.0))=\(TestBench<MountedServer>.escaped($0.1))" }
            .joined(separator: "&")
    }
}

/// Where the browser ended up.
struct Visit {
    let url: String
    let response: Response

    init(url: String, _ response: Response) { (self.url, self.response) = (url, response) }

    var status: Int { response.status.code }
    var page: String { response.text }
    /// The form in which all words of the page can be looked for.
    var heading: String { page.between("<h1>", "</h1>") ?? "" }
    var forms: [PageForm] { PageForm.all(in: page) }
    /// What the client gets in the query, or in the body of the form that the page sends by itself.
    var answer: [String: String] {
        if let query = url.split(separator: "?", maxSplits: 1).dropFirst().first { return Self.fields(query) }
        return [:]
    }
    /// What the client gets behind the `#`.
    var fragment: [String: String] {
        url.split(separator: "#", maxSplits: 1).dropFirst().first.map(Self.fields) ?? [:]
    }

    private static func fields(_ text: Substring) -> [String: String] {
        Dictionary(Form(String(text)).pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

/// A form as it stands in a page.
struct PageForm {
    let action: String
    let fields: [(name: String, value: String)]
    /// Name, value and text of the buttons.
    let buttons: [(name: String, value: String, text: String)]

    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    static func all(in page: String) -> [PageForm] {
        page.components(between: "<form ", "</form>").map { text in
            PageForm(
                action: attribute("action", text) ?? "",
                fields: text.components(between: "<input ", ">").compactMap { input in
                    attribute("name", input).map { ($0, attribute("value", input) ?? "") }
                },
                buttons: text.components(between: "<button", "</button>").map { button in
                    let inner = button.split(separator: ">", maxSplits: 1).dropFirst().first ?? ""
                    return (
                        attribute("name", button) ?? "", attribute("value", button) ?? "",
                        String(inner.prefix { $0 != "<" })
                    )
                })
        }
    }

    private static func attribute(_ name: String, _ tag: String) -> String? {
        (" " + tag).between(" \(name)=\"", "\"")?.replacing("&#39;", with: "'").replacing(
            "&quot;", with: "\""
        )
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}

extension String {
    func between(_ start: String, _ end: String) -> String? { components(between: start, end).first }

    func components(between start: String, _ end: String) -> [String] {
        var (found, rest) = ([String](), self[...])
        while let opening = rest.firstRange(of: start),
            let closing = rest[opening.upperBound...].firstRange(of: end)
        {
            found.append(String(rest[opening.upperBound..<closing.lowerBound]))
            rest = rest[closing.upperBound...]
        }
        return found
    }
}
