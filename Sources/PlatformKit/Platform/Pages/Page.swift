import Crypto
import Essentials
package import HTTP

/// A page that a platform shows to people: one column, plain HTML, no script unless it brings one of ours.
package struct Page: Sendable {
    package var title: String
    package var main: HTML
    package var status: Status = .ok
    /// Attributes of the element `main`, with a space before each.
    package var attributes: HTML = ""
    /// Rules beside the house's own.
    package var style = ""
    /// Runs when the page is there. It may call this server.
    package var script: String?
    /// The address of a module of ours that runs when the page is there, such as `/_console/passkeys.js`. It may call this server.
    package var module: String?
    /// Where its frames may come from, in the words of a content security policy.
    package var frames: String?
    /// Where the browser goes by itself, and after how many seconds.
    package var refresh: Refresh?

    package init(_ title: String, status: Status = .ok, _ main: HTML) {
        (self.title, self.status, self.main) = (title, status, main)
    }

    package struct Refresh: Sendable {
        package let seconds: Int
        /// Nil for the page itself.
        package let target: String?
        /// Left to the page's script where scripts run.
        package let isForPlainBrowsers: Bool

        package init(seconds: Int, target: String? = nil, isForPlainBrowsers: Bool = false) {
            (self.seconds, self.target, self.isForPlainBrowsers) = (seconds, target, isForPlainBrowsers)
        }
    }

    package var response: Response {
        var response = Response.html(document.text, status: status)
        for (name, value) in Self.fields { response.headers[name] = value }
        response.headers["Content-Security-Policy"] = policy + "; frame-ancestors 'none'"
        return response
    }

    /// What pages and the redirects between them say, so that nobody keeps, frames or tells what stands in their addresses.
    /// Source: RFC 9700 §4.2.4, §4.16. Under “no-referrer” our own forms would come with “Origin: null” (WHATWG Fetch, “append a request
    /// `Origin` header”).
    package static let fields = [
        ("Cache-Control", "no-store"), ("Pragma", "no-cache"), ("Referrer-Policy", "same-origin"),
        ("Content-Security-Policy", "frame-ancestors 'none'"), ("X-Frame-Options", "DENY"),
    ]

    /// Says nothing of `form-action`: browsers hold it against the redirect that follows a form too, and that goes to the client.
    private var policy: String {
        var parts = [
            "default-src 'none'", "style-src '\(Self.digest(of: rules))'", "img-src http: https:",
            "base-uri 'none'",
        ]
        let scripts = (script.map { ["'\(Self.digest(of: $0))'"] } ?? []) + (module == nil ? [] : ["'self'"])
        if !scripts.isEmpty {
            parts += ["script-src " + scripts.joined(separator: " "), "connect-src 'self'"]
        }
        if let frames { parts.append("frame-src \(frames)") }
        return parts.joined(separator: "; ")
    }

    private var rules: String { Stylesheet.text + style }

    /// Source: Content Security Policy Level 3 §2.3.1, `hash-source`.
    package static func digest(of script: String) -> String {
        "sha256-" + Data(Digest.sha256(Array(script.utf8))).base64EncodedString()
    }

    private var document: HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        \(refreshTag)<title>\(title)</title>
        <style>\(HTML(markup: rules))</style>
        </head>
        <body>
        <main\(attributes)>
        \(main)
        </main>
        <footer><p>Understudy · for development only. Do not enter real passwords.</p></footer>
        \(scriptTag)</body>
        </html>

        """
    }

    private var refreshTag: HTML {
        guard let refresh else { return "" }
        let target: HTML = refresh.target.map { ";url=\($0)" } ?? ""
        let tag: HTML = "<meta http-equiv=\"refresh\" content=\"\(refresh.seconds)\(target)\">"
        return refresh.isForPlainBrowsers ? "<noscript>\(tag)</noscript>\n" : "\(tag)\n"
    }

    private var scriptTag: HTML {
        let inline: HTML = script.map { "<script>\(HTML(markup: $0))</script>\n" } ?? ""
        return module.map { "\(inline)<script type=\"module\" src=\"\($0)\"></script>\n" } ?? inline
    }
}
