import HTTP
import PlatformKit

/// The pages behind the link of a mail.
enum ConfirmationPage {
    static func question(code: String, userID: String, action: String) -> Page {
        Page(
            "Confirm your registration",
            """
            <h1>Confirm your registration</h1>
            <p>You are about to confirm that <b>\(userID)</b> is you.</p>
            <form method="post" action="\(action)">
            <input type="hidden" name="code" value="\(code)">
            <input type="hidden" name="user_id" value="\(userID)">
            <button class="main">Confirm</button>
            </form>
            """)
    }

    /// - Parameter activationToken: for an app that registers with one; nil where a registration waited for this.
    static func confirmed(userID: String, activationToken: String?) -> Page {
        let next: HTML =
            activationToken.map { token in
                "<p>Activation token for the app: <code id=\"activation-token\">\(token)</code></p>"
            } ?? "<p>Go back to the app and choose a PIN.</p>"
        return Page(
            "Confirmed",
            """
            <h1>Confirmed</h1>
            <p><b>\(userID)</b> is verified.</p>
            \(next)
            """)
    }

    static func refused(_ reason: String) -> Page {
        Page(
            "Not confirmed", status: .badRequest,
            """
            <h1>Not confirmed</h1>
            <p>\(reason)</p>
            """)
    }
}
