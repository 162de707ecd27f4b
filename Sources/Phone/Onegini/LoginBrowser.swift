import HTTP
import PlatformKit
import Essentials

/// The browser that an app opens for a login: follows redirects, keeps cookies, and presses what the pages of the token server offer,
/// as somebody who wants to get in.
struct LoginBrowser {
    let handset: Handset
    /// Who logs in.
    let person: String
    private var cookies: [String: String] = [:]

    private struct Page {
        let target: String
        var fields: [(name: String, value: String)]
    }

    init(handset: Handset, person: String) { (self.handset, self.person) = (handset, person) }

    /// - Parameter page: path and query at the world.
    /// - Returns: the address of the app's own to which the browser is sent.
    mutating func logIn(at page: String) throws -> String {
        var response = try open("GET", page)
        for _ in 1...8 {
            if let location = response.headers["Location"] {
                guard let path = path(of: location) else { return location }
                response = try open("GET", path)
                continue
            }
            guard response.status == .ok else {
                let why = response.toldExplanation ?? ""
                throw PhoneRefusal(.refused, "The login page answered \(response.status.code). \(why)")
            }
            guard let form = form(in: String(decoding: response.bytes, as: UTF8.self)) else {
                throw PhoneRefusal(.refused, "The login page offers “\(person)” no way to go on.")
            }
            response = try open("POST", path(of: form.target) ?? form.target, Form.encode(form.fields))
        }
        throw PhoneRefusal(.refused, "The login pages lead nowhere.")
    }

    private mutating func open(_ method: String, _ path: String, _ form: String? = nil) throws -> Response {
        var headers = [("Accept", "text/html")]
        if !cookies.isEmpty {
            let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            headers.append(("Cookie", pairs.joined(separator: "; ")))
        }
        if form != nil { headers.append(("Content-Type", "application/x-www-form-urlencoded")) }
        let response = try handset.send(method, path, headers: headers, body: Array((form ?? "").utf8))
        for line in response.headers.values(of: "Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
        }
        return response
    }

    /// A place at the world; nil for one elsewhere, such as the app's own.
    private func path(of location: String) -> String? {
        let rest: Substring
        if location.hasPrefix("/") {
            rest = Substring(location)
        } else if location.hasPrefix(handset.origin + "/") {
            rest = location.dropFirst(handset.origin.count)
        } else {
            return nil
        }
        let world = handset.worldPath
        return rest.hasPrefix(world + "/") ? String(rest.dropFirst(world.count)) : nil
    }

    /// The form that gets the person on: a button of theirs, a field for anybody, or a permission.
    private func form(in html: String) -> Page? {
        let forms = html.matches(of: /(?s)<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/)
            .map { (target: Self.plain($0.1), inside: String($0.2)) }
        let wanted = [("subject", person), ("decision", "allow")]
        for (name, value) in wanted {
            for form in forms where Self.buttons(in: form.inside).contains(where: { $0 == (name, value) }) {
                return Page(target: form.target, fields: Self.inputs(in: form.inside) + [(name, value)])
            }
        }
        guard let byHand = forms.first(where: { $0.inside.contains("name=\"person\"") }) else { return nil }
        let others = Self.inputs(in: byHand.inside).filter { $0.name != "person" }
        return Page(target: byHand.target, fields: others + [("person", person), ("claims", "")])
    }

    private static func inputs(in html: String) -> [(name: String, value: String)] {
        html.matches(of: /<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/).map { (plain($0.1), plain($0.2)) }
    }

    private static func buttons(in html: String) -> [(name: String, value: String)] {
        html.matches(of: /<button[^>]*name="([^"]*)"[^>]*value="([^"]*)"/).map { (plain($0.1), plain($0.2)) }
    }

    private static func plain(_ escaped: Substring) -> String {
        String(escaped).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
            "&quot;", with: "\""
        )
        .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
