import HTTP
import PlatformKit

/// The page of passkeys. What moves on it is `Web/passkeys.js`.
enum PasskeysPage {
    /// Where the platforms of the request's world hang: empty, or `/w/blue`; nil at a host name that is the sample app's alone.
    static func root(_ request: Request) -> String? {
        let own = "/" + SampleApp.name
        return request.mount.hasSuffix(own) ? String(request.mount.dropLast(own.count)) : nil
    }

    /// - Parameters:
    ///   - root: as ``root(_:)`` has it.
    ///   - prefix: what a proxy takes away from the path.
    static func response(root: String, prefix: String) -> Response {
        let script = prefix + "/_console/passkeys.js"
        var page = Page("Passkeys", main(root, script))
        page.attributes = " data-hanko=\"\(root)/hanko\""
        page.module = script
        page.style = style
        return page.response
    }

    private static func main(_ root: String, _ script: String) -> HTML {
        """
        <h1>Passkeys</h1>
        <p>Register and log in with a passkey at Hanko, from a web page. <a href="\(script)">Its script</a> is there to be copied.</p>
        <p id="obstacle" class="error" hidden></p>
        <p id="problem" class="error" role="alert" hidden></p>
        <p id="news" class="soft" role="status"></p>
        <noscript><p class="error">Passkeys are reached by script, and this browser runs none.</p></noscript>

        <section id="signed-out" aria-labelledby="signed-out-title" hidden>
        <h2 id="signed-out-title" tabindex="-1">Log in</h2>
        <button id="use-passkey" type="button" class="main needs-passkeys">Log in with a passkey</button>
        <form id="email-form">
        <label for="email">Or have a code sent by mail</label>
        <input id="email" type="email" required maxlength="254" autocomplete="username webauthn" placeholder="ada@example.com"
            aria-describedby="email-hint">
        <button>Send a code</button>
        <button id="register" hidden>Register</button>
        <p id="email-hint" class="soft">An address that nobody has yet becomes a new user.</p>
        </form>
        </section>

        <section id="code-sent" aria-labelledby="code-sent-title" hidden>
        <h2 id="code-sent-title" tabindex="-1">A code was sent to <span id="recipient"></span></h2>
        <form id="code-form">
        <p>No mail leaves this machine: read it in <a href="\(root)/outbox" target="_blank">the outbox</a>.</p>
        <label for="code">Code</label>
        <input id="code" type="text" inputmode="numeric" required pattern="[0-9]{6}" maxlength="6" title="six digits"
            autocomplete="one-time-code">
        <button class="main">Log in</button>
        <button id="other-email" type="button">Another address</button>
        </form>
        </section>

        <section id="password-wanted" aria-labelledby="password-wanted-title" hidden>
        <h2 id="password-wanted-title" tabindex="-1">Hanko asks for a password</h2>
        <form id="password-form">
        <label for="password">A password of your own</label>
        <input id="password" type="password" required minlength="8" maxlength="72" autocomplete="new-password">
        <button class="main">Go on</button>
        </form>
        </section>

        <section id="signed-in" aria-labelledby="signed-in-title" hidden>
        <h2 id="signed-in-title" tabindex="-1">Logged in as <span id="who"></span></h2>
        <p id="no-passkeys" hidden>This account has no passkey yet.</p>
        <ul id="passkeys" aria-label="Passkeys of this account"></ul>
        <button id="create" type="button" class="main needs-passkeys">Create a passkey</button>
        <button id="log-out" type="button">Log out</button>
        </section>
        """
    }

    private static let style = """

        [hidden] { display: none !important; }
        button { text-align: center; }
        button:disabled { opacity: .6; cursor: progress; }
        input:is([type=email], [type=password]) { width: 100%; padding: .6rem; font: inherit; color: inherit; background: var(--ground);
          border: 1px solid var(--line); border-radius: 6px; }
        #email-hint { margin: .5rem 0 0; }
        #news:empty { display: none; }
        #passkeys { padding: 0; list-style: none; }
        #passkeys li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
        #passkeys li button { width: auto; min-height: 2rem; margin: .25rem 0 0; padding: .25rem .75rem; }
        """
}
