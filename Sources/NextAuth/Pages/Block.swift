import Crypto
import Essentials
import HTTP
import QRCode

/// A piece of a web page that shows a code, for a back end to put into a page of its own.
///
/// Source: Server SDK, “HTML block”: the class of its element, and what it shows when. The markup is ours. The script of the footer
/// brings it to life; without it the code is still there to scan.
struct Block {
    enum Purpose: String {
        case login, enrol
    }

    let purpose: Purpose
    let server: Server
    let data: CodeData
    /// A login can be pushed.
    var canProvoke = false
    /// Who is logged in on the session, as far as known; nil for nobody.
    var user: String?

    /// What takes the app's name in texts.
    private var appName: String { server.appName ?? "nextAuth" }

    var html: HTML {
        get throws {
            """
            <div class="nextauth-block" data-purpose="\(purpose.rawValue)" data-hsid="\(data.hsid)" \
            data-server="\(server.urlSafeID)">
            \(try content)
            <p class="nextauth-status" role="status"></p>
            </div>

            """
        }
    }

    private var content: HTML {
        get throws {
            if let user { return "<p class=\"nextauth-user\">Logged in as \(user)</p>" }
            guard canProvoke else { return try code }
            return """
                <button type="button" class="nextauth-push">Log in with \(appName) on your phone</button>
                <details class="nextauth-other">
                <summary>Use another phone</summary>
                \(try code)
                </details>
                """
        }
    }

    private var code: HTML {
        get throws {
            let title = purpose == .login ? "Log in with" : "Add this account to"
            let picture = HTML(markup: try QRCode(text: data.text).svg(title: "Code for \(appName)"))
            return """
                <p class="nextauth-title">\(title) \(appName)</p>
                <div class="nextauth-qr">\(picture)</div>
                <p class="nextauth-app"><a href="\(AppLink(server).address(of: data))">Open \(appName)</a></p>
                \(stores)
                """
        }
    }

    private var stores: HTML {
        let places = [("Android", server.appAndroid), ("iOS", server.appIOS)]
        let links = places.compactMap { system, address -> HTML? in
            guard let address, AppLink.isWebAddress(address) else { return nil }
            return "<a href=\"\(address)\">\(appName) for \(system)</a>"
        }
        return links.isEmpty ? .none : "<p class=\"nextauth-get\">\(links)</p>"
    }
}
