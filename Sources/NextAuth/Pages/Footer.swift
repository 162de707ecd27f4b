import Essentials
import HTTP

/// The end of a web page with blocks: their style, and the script that watches the sessions.
struct Footer {
    /// A session that the page depends on.
    struct Session {
        let session: WatchedSession
        /// Of its server's WebSocket.
        let address: String
        /// At the moment when the page is made: it is loaded again when that changes.
        let isLoggedIn: Bool
    }

    let sessions: [Session]

    var html: HTML {
        """
        <style>
        \(HTML(markup: FooterSource.style))
        </style>
        <script type="application/json" id="nextauth-sessions">\(HTML(markup: list))</script>
        <script>
        \(HTML(markup: FooterSource.script))
        </script>

        """
    }

    /// Without the one character by which a text could end the element.
    private var list: String {
        JSONValue.array(
            sessions.map { watched in
                [
                    "hsid": .string(watched.session.hsid),
                    "server": .string(Server.urlSafe(watched.session.server)),
                    "address": .string(watched.address), "loggedin": .boolean(watched.isLoggedIn),
                ]
            }
        ).text.replacing("<", with: "\\u003c")
    }
}
