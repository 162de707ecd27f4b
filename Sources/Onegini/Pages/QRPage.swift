import Essentials
import HTTP
import PlatformKit
import QRCode

/// The page that shows a transaction's QR code. It works without scripts, by asking again every two seconds.
struct QRPage {
    let otp: String
    /// The symbol of ``otp``.
    let svg: HTML
    let state: MobileTransactionState
    let secondsLeft: Int
    let deepLink: String?
    /// To a phone of the console; see ``PhoneLink``.
    let phone: HTML

    var page: Page {
        var page = Page(
            "Scan to continue",
            """
            <h1>Scan with your app</h1>
            <figure class="code" data-otp="\(otp)">\(svg)</figure>
            <p class="state" role="status">\(words)</p>
            \(time)
            \(links)
            <details><summary>The code as text</summary>
            <textarea readonly rows="4" aria-label="The code as text">\(otp)</textarea></details>
            """)
        page.attributes = " data-state=\"\(state.rawValue)\" data-expires-in=\"\(secondsLeft)\""
        page.style = Self.style
        if state.isOpen {
            page.script = Self.script
            page.refresh = Page.Refresh(seconds: 2, isForPlainBrowsers: true)
        }
        return page
    }

    /// What a transaction that is unknown, or whose key is wrong, looks like.
    static var missing: Page {
        Page(
            "No such code", status: .notFound,
            """
            <h1>No such QR code</h1>
            <p>The address is incomplete, or the code no longer exists. Ask the portal for a new one.</p>
            """)
    }

    private var time: HTML {
        guard state.isOpen else { return "" }
        return """
            <p class="time"><span id="seconds">\(secondsLeft)</span> s left</p>
            """
    }

    /// For as long as somebody may scan the code.
    private var links: HTML {
        guard state == .initialized else { return "" }
        let app: HTML? = deepLink.map { "<p><a href=\"\($0)\">Open the app on this device</a></p>" }
        return "\([app, phone].compactMap(\.self))"
    }

    private var words: String {
        switch state {
        case .initialized: "Waiting for a scan"
        case .fetched: "Scanned. Waiting for an answer on the device"
        case .authenticated: "Confirmed"
        case .denied: "Denied"
        case .failed: "Failed"
        case .expired: "Expired"
        }
    }
}

extension QRPage {
    /// The symbol is dark on white also where the page is dark: a scanner needs it so.
    private static let style = """

        main { text-align: center; }
        .code { margin: 0 auto; width: min(100%, 26rem); min-width: min(300px, 100%); background: #fff; line-height: 0; }
        .code svg { width: 100%; height: auto; }
        main:not([data-state=INITIALIZED]) .code svg { opacity: .12; }
        .state { font-weight: 600; margin: 1rem 0 0; }
        .time { font-variant-numeric: tabular-nums; }
        textarea { width: 100%; font: .75rem/1.4 ui-monospace, monospace; }
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
}
