import Crypto
import Essentials
import HTTP
import QRCode

/// The page that shows a transaction's QR code. It works without scripts, by asking again every two seconds.
struct QRPage {
    let otp: String
    /// The symbol of ``otp``.
    let svg: HTML
    let state: MobileTransactionState
    let secondsLeft: Int
    let deepLink: String?

    var html: HTML {
        Self.document(
            title: "Scan to continue",
            head: state.isOpen
                ? "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>" : "",
            body: """
                <main data-state="\(state.rawValue)" data-expires-in="\(secondsLeft)">
                <h1>Scan with your app</h1>
                <figure class="code" data-otp="\(otp)">\(svg)</figure>
                <p class="state" role="status">\(words)</p>
                \(time)
                \(link)
                <details><summary>The code as text</summary>
                <textarea readonly rows="4" aria-label="The code as text">\(otp)</textarea></details>
                </main>
                \(state.isOpen ? Self.scriptElement : "")
                """)
    }

    /// What a transaction that is unknown, or whose key is wrong, looks like.
    static var missing: HTML {
        document(
            title: "No such code", head: "",
            body: """
                <main><h1>There is no such QR code</h1>
                <p>The address is not complete, or the code is gone. Ask the portal for a new one.</p></main>
                """)
    }

    private var time: HTML {
        guard state.isOpen else { return "" }
        return """
            <p class="time"><span id="seconds">\(secondsLeft)</span> s left</p>
            """
    }

    private var link: HTML {
        guard let deepLink, state == .initialized else { return "" }
        return """
            <p><a class="app" href="\(deepLink)">Open the app on this device</a></p>
            """
    }

    private var words: String {
        switch state {
        case .initialized: "Waiting for a scan"
        case .fetched: "Scanned. Waiting for the answer on the device"
        case .authenticated: "Confirmed"
        case .denied: "Denied"
        case .failed: "Failed"
        case .expired: "Expired"
        }
    }
}

// MARK: - The frame of both pages

extension QRPage {
    private static func document(title: String, head: HTML, body: HTML) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        \(head)
        \(styleElement)
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    private static let styleElement = HTML(stringLiteral: "<style>" + style + "</style>")
    private static let scriptElement = HTML(stringLiteral: "<script>" + script + "</script>")

    /// The symbol is dark on white also where the page is dark: a scanner needs it so.
    private static let style = """
        :root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}
        body{margin:0;min-height:100vh;display:grid;place-items:center}
        main{text-align:center;padding:1rem}
        h1{font-size:1.5rem;margin:0 0 1rem}
        .code{margin:0 auto;width:min(90vmin,26rem);min-width:300px;background:#fff;line-height:0}
        .code svg{width:100%;height:auto}
        main:not([data-state=INITIALIZED]) .code svg{opacity:.12}
        .state{font-weight:600;margin:1rem 0 0}
        .time{margin:0;font-variant-numeric:tabular-nums}
        .app{display:inline-block;padding:.5rem 1rem;border:2px solid;border-radius:.5rem;text-decoration:none;color:inherit}
        textarea{width:min(90vmin,26rem);font:.75rem/1.4 ui-monospace,monospace;box-sizing:border-box}
        """

    /// A change of state brings the page anew, so that both ways of looking at it show the same.
    private static let script = """
        const main=document.querySelector("main"),seconds=document.getElementById("seconds");
        async function look(){
        try{
        const answer=await fetch(location.pathname+"/status"+location.search,{cache:"no-store"});
        if(!answer.ok)return location.reload();
        const now=await answer.json();
        if(now.state!==main.dataset.state)return location.reload();
        seconds.textContent=now.expires_in;
        }catch{}
        setTimeout(look,1000);
        }
        setTimeout(look,1000);
        """

    /// Nothing but the two pieces above, and calls to this server. Source: Content Security Policy Level 3.
    fileprivate static let policy =
        "default-src 'none'; style-src 'sha256-\(hash(of: style))'; script-src 'sha256-\(hash(of: script))'; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

    private static func hash(of text: String) -> String {
        Data(Digest.sha256(Array(text.utf8))).base64EncodedString()
    }
}

extension Response {
    /// A page whose address is a secret: nobody keeps it, and it is told to no other site.
    static func qrPage(_ page: HTML, status: Status = .ok) -> Response {
        var response = Response.html(page.text, status: status)
        response.headers["Content-Security-Policy"] = QRPage.policy
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
    }
}
