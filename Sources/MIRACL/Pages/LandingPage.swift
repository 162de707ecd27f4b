import HTTP
import PlatformKit

/// Where a phone's camera goes with the address of a QR code, when no app takes it.
enum LandingPage {
    static var page: Page {
        var page = Page(
            "Open the app",
            """
            <h1>Open the app</h1>
            <p>This address is for the app that you sign in with: scan the code from inside that app.</p>
            <p id="code" hidden>Access code: <code id="access-code"></code></p>
            <noscript><p>The access code is the part of the address after the #.</p></noscript>
            """)
        page.style = "\ncode { overflow-wrap: anywhere; }\n"
        page.script = script
        return page
    }

    private static let script = """
        const code=location.hash.slice(1);
        document.getElementById("access-code").textContent=code;
        document.getElementById("code").hidden=!code;
        """
}
