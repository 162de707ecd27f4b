import HTTP
import PlatformKit
import QRCode

/// The portal's pages: plain HTML that works without scripts.
enum PortalPage {
    static func welcome(_ request: Request) -> Response {
        page(
            "Portal",
            """
            <h1>The portal</h1>
            <p>You are not logged in. Scan a code with the app on your phone, where you are already logged in.</p>
            <form method="post" action="\(request.mount)/portal/login"><button>Log in with a QR code</button></form>
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
    ///
    /// - Parameter phone: to a phone of the console; see ``PhoneLink``.
    static func scan(_ code: QRCode, _ login: Login, secondsLeft: Int, phone: HTML) -> Response {
        let symbol = HTML(markup: code.svg(title: "QR code for your app"))
        return page(
            "Scan to log in",
            """
            <h1>Scan this code with your app</h1>
            <div class="code" data-otp="\(login.otp)">\(symbol)</div>
            <p>It is valid for <b id="left">\(secondsLeft)</b> s. This page checks every two seconds whether you have answered.</p>
            <details><summary>No camera?</summary><textarea readonly rows="4" aria-label="Content of the code">\(login.otp)</textarea></details>
            \(phone)
            """, script: renewal, refresh: Page.Refresh(seconds: 2, isForPlainBrowsers: true))
    }

    /// The page stays as it is, with the focus in it, until it is another one.
    private static let renewal = """
        const timer = setInterval(async () => {
          const answer = await fetch(location.href).catch(() => undefined);
          if (!answer) return;
          const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
          const part = drawn.title === document.title ? "#left" : "main";
          if (part === "main") clearInterval(timer);
          document.title = drawn.title;
          history.replaceState(null, "", answer.url);
          document.querySelector(part)?.replaceWith(drawn.querySelector(part) ?? "");
        }, 2000);
        """

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
        _ title: String, _ main: HTML, script: String? = nil, refresh: Page.Refresh? = nil,
        status: Status = .ok
    ) -> Response {
        var page = Page(title, status: status, main)
        page.script = script
        page.style = style
        page.refresh = refresh
        return page.response
    }

    /// The symbol is dark on white also where the page is dark: a scanner needs it so.
    private static let style = """

        button { text-align: center; }
        .code { background: #fff; }
        .code svg { display: block; width: 100%; height: auto; }
        textarea { width: 100%; font-family: ui-monospace, monospace; }
        """
}
