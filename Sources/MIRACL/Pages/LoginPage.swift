import Essentials
import HTTP
import OpenID
import PlatformKit
import QRCode

/// What a relying party's user sees who is to sign in: the code for the phone. It works without scripts, by asking again every two
/// seconds.
struct LoginPage {
    /// What came as `acttoken`.
    enum Activation: Equatable {
        case good(String, userID: String)
        case void
    }

    let session: AccessSession
    /// As ``AccessSession/standing(at:)`` has it.
    let standing: String
    let qrURL: String
    /// The symbol of ``qrURL``.
    let code: QRCode
    let secondsLeft: Int
    /// What the user signs in to.
    let service: String
    /// Of the platform, in the page's origin.
    let mount: String
    /// To a phone of the console; see ``PhoneLink``.
    let phone: HTML
    var activation: Activation?

    var page: Page {
        var page = Page("Sign in to \(service)", isOpen ? waiting : ended)
        page.attributes =
            " data-state=\"\(standing)\" data-ott=\"\(session.webOTT)\" data-mount=\"\(mount)\""
        page.style = Self.style
        if isOpen {
            page.script = Self.script
            page.refresh = Page.Refresh(
                seconds: 2, target: "\(mount)/authorize/wait/\(session.webOTT)", isForPlainBrowsers: true)
        }
        return page
    }

    private var isOpen: Bool { ["new", "wid", "user"].contains(standing) }

    private var waiting: HTML {
        """
        <h1>Sign in to \(service)</h1>
        \(steps)
        <figure class="code" data-qr="\(qrURL)">\(HTML(markup: code.svg(title: "QR code for your app")))</figure>
        <p class="state" role="status">\(words)</p>
        <p>Access code: <code id="access-code">\(session.accessID)</code></p>
        \(notes)
        <p class="soft">It is good for \(secondsLeft) s. <a href="\(qrURL)">Open the address of the code</a></p>
        \(session.state == .new ? phone : "")
        """
    }

    private var ended: HTML {
        """
        <h1>Sign in to \(service)</h1>
        \(steps)
        <p class="state" role="status">\(words)</p>
        \(wayBack)
        """
    }

    private var words: String {
        switch standing {
        case "new": "Scan this code with your app."
        case "wid": "The code was scanned. Choose a user on the phone."
        case "user": "\(session.userID ?? "A user") was chosen. Enter the PIN on the phone."
        case "authenticated": "\(session.userID ?? "The user") is signed in."
        case "signed": "\(session.userID ?? "The user") has signed."
        case "abort": "The login was cancelled on the phone."
        default: "This login has expired."
        }
    }

    private var notes: HTML {
        var notes: [HTML] = []
        if let userID = session.prerollID { notes.append("<p>For <b>\(userID)</b></p>") }
        switch activation {
        case .good(let token, let userID):
            notes.append(
                """
                <p>\(userID) is verified. Activation token for the app: <code id="activation-token">\(token)</code></p>
                """)
        case .void:
            notes.append(
                "<p class=\"error\">The activation token is unknown, already used, or expired.</p>")
        case nil: break
        }
        return "\(notes)"
    }

    /// An answer in the sense of OpenID Connect, where the user wants to give one. Source: RFC 6749 §4.1.2.1.
    private var wayBack: HTML {
        guard standing != "authenticated", let asked = session.authorization else { return .none }
        let target = asked.redirect(refusing: "access_denied")
        guard asked.postsForm else { return "<p><a href=\"\(target)\">Back to \(service)</a></p>" }
        let fields: [HTML] = asked.fields(of: target).map {
            "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
        }
        return """
            <form method="post" action="\(asked.redirectURI)">\(fields)<button>Back to \(service)</button></form>
            """
    }

    /// How far it is: the three things that happen, the present one marked.
    private var steps: HTML {
        let names = ["Scan the code", "Enter the PIN on the phone", "Done"]
        let present = ["new": 0, "wid": 1, "user": 1, "authenticated": 2, "signed": 2][standing]
        let items: [HTML] = names.enumerated().map { index, name in
            guard let present else { return "<li>\(name)</li>" }
            let isDone = index < present || present == 2
            return """
                <li class="\(isDone ? "done" : "open")"\(HTML(markup: index == present ? " aria-current=\"step\"" : ""))>\(name)</li>
                """
        }
        return "<ol class=\"steps\">\(items)</ol>"
    }
}

extension LoginPage {
    /// The symbol is dark on white also where the page is dark: a scanner needs it so.
    private static let style = """

        .code { margin: 0 auto; width: min(100%, 22rem); background: #fff; line-height: 0; }
        .code svg { width: 100%; height: auto; }
        main:not([data-state=new]) .code svg { opacity: .12; }
        .state { font-weight: 600; }
        .steps { padding-left: 1.25rem; }
        .steps li:not([aria-current]) { opacity: .7; }
        .steps .done::after { content: " ✓"; }
        .steps [aria-current] { font-weight: 600; }
        code { overflow-wrap: anywhere; }
        """

    /// A change of state brings the page anew, or the relying party.
    private static let script = """
        const main=document.querySelector("main"),{ott,mount}=main.dataset;
        async function look(){
        try{
        const answer=await fetch(mount+"/rps/v2/access",{method:"POST",cache:"no-store",
        headers:{"Content-Type":"application/json"},body:JSON.stringify({webOTT:ott})});
        const now=await answer.json();
        if(now.redirectURL)return location.replace(now.redirectURL);
        if(!answer.ok||now.status!==main.dataset.state)return location.replace(mount+"/authorize/wait/"+ott);
        }catch{}
        setTimeout(look,1000);
        }
        setTimeout(look,1000);
        """
}
