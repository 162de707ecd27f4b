import HTTP
import QRCode

/// The portal's pages: plain HTML that works without scripts.
enum PortalPage {
    static func welcome(_ request: Request) -> Response {
        page(
            "Portal",
            """
            <h1>The portal</h1>
            <p>Nobody is logged in. With the app on your phone, in which you are logged in already, scan a code and you are in.</p>
            <form method="post" action="\(request.mount)/portal/login"><button>Log in by scanning</button></form>
            """)
    }

    static func home(of user: String, _ request: Request) -> Response {
        page(
            "Portal",
            """
            <h1>Welcome, <span data-user="\(user)">\(user)</span></h1>
            <p>You are logged in.</p>
            <form method="post" action="\(request.mount)/portal/logout"><button>Log out</button></form>
            """)
    }

    /// Looks again every two seconds.
    static func scan(_ code: QRCode, _ login: Login, secondsLeft: Int) -> Response {
        let symbol = HTML(markup: code.svg(title: "QR code for your app"))
        return page(
            "Scan to log in",
            """
            <h1>Scan this code with your app</h1>
            <div class="code" data-otp="\(login.otp)">\(symbol)</div>
            <p>It is good for <b>\(secondsLeft)</b> s. This page looks every two seconds whether you have answered.</p>
            <details><summary>No camera?</summary><textarea readonly rows="4" aria-label="What the code says">\(login.otp)</textarea></details>
            """, refresh: "<meta http-equiv=\"refresh\" content=\"2\">")
    }

    static func ended(_ sentence: String, _ request: Request) -> Response {
        page(
            "Not logged in",
            """
            <h1>Not logged in</h1>
            <p>\(sentence)</p>
            <form method="post" action="\(request.mount)/portal/login"><button>Try again</button></form>
            """)
    }

    static func notice(_ sentence: String, status: Status) -> Response {
        page("Portal", "<h1>Sorry</h1>\n<p>\(sentence)</p>", status: status)
    }

    private static func page(
        _ title: String, _ main: HTML, refresh: HTML = "", status: Status = .ok
    ) -> Response {
        let html: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(refresh)
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(main)
            </main>
            <footer>A sample application of Understudy, for development only.</footer>
            </body>
            </html>
            """
        var response = Response.html(html.text, status: status)
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    private static let style: HTML = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
        body { margin: 0 auto; padding: 1.5rem; max-width: 34rem; }
        button { font: inherit; padding: .6rem 1.2rem; }
        .code { width: min(100%, 22rem); background: #fff; }
        .code svg { display: block; width: 100%; height: auto; }
        textarea { width: 100%; font-family: monospace; }
        footer { margin-top: 3rem; font-size: .8125rem; opacity: .75; }
        """
}
