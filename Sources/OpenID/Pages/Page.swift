import Crypto
import Essentials
import HTTP

/// A page of the server: one column, no script unless it brings one of ours.
struct Page: Sendable {
    var title: String
    var main: HTML
    var status: Status = .ok
    /// Runs when the page is there; part of the policy by its digest.
    var script: String?
    /// Where its frames may come from, in the words of a content security policy.
    var frames: String?
    /// Where the browser goes by itself, and after how many seconds.
    var refresh: (seconds: Int, target: String)?

    init(_ title: String, status: Status = .ok, _ main: HTML) {
        (self.title, self.status, self.main) = (title, status, main)
    }

    var response: Response {
        var response = Response.html(document.text, status: status)
        for (name, value) in Self.fields { response.headers[name] = value }
        response.headers["Content-Security-Policy"] = policy + "; frame-ancestors 'none'"
        return response
    }

    /// What every answer of these endpoints says, pages and redirects alike. Source: RFC 9700 §4.2.4, §4.16; onegini.md ST-25.
    static let fields = [
        ("Cache-Control", "no-store"), ("Pragma", "no-cache"), ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "frame-ancestors 'none'"), ("X-Frame-Options", "DENY"),
    ]

    /// Says nothing of `form-action`: browsers hold it against the redirect that follows a form too, and that goes to the client.
    private var policy: String {
        var parts = [
            "default-src 'none'", "style-src 'unsafe-inline'", "img-src http: https:", "base-uri 'none'",
        ]
        if let script { parts.append("script-src '\(Self.digest(of: script))'") }
        if let frames { parts.append("frame-src \(frames)") }
        return parts.joined(separator: "; ")
    }

    /// Source: Content Security Policy Level 3 §2.3.1, `hash-source`.
    static func digest(of script: String) -> String {
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
        <style>
        \(HTML(markup: Stylesheet.text))
        </style>
        </head>
        <body>
        <main>
        \(main)
        </main>
        <footer><p>Understudy · for development only. Type no real password here.</p></footer>
        \(scriptTag)</body>
        </html>

        """
    }

    private var refreshTag: HTML {
        guard let refresh else { return .none }
        return "<meta http-equiv=\"refresh\" content=\"\(refresh.seconds);url=\(refresh.target)\">\n"
    }

    private var scriptTag: HTML {
        script.map { "<script>\(HTML(markup: $0))</script>\n" } ?? .none
    }
}
