import HTTP
import PlatformKit

/// The page of a relying party whose users sign in at MIRACL.
enum MIRACLPage {
    static func welcome(_ request: Request) -> Response {
        page(
            """
            <h1>Sign in with MIRACL</h1>
            <p>Nobody is signed in. Scan a code with the app on your phone, type your PIN there, and you are in.</p>
            <form method="post" action="\(request.mount)/miracl/login"><button class="main">Sign in</button></form>
            """)
    }

    static func home(of user: String, _ request: Request) -> Response {
        page(
            """
            <h1>Welcome, <span data-user="\(user)">\(user)</span></h1>
            <p>You are signed in.</p>
            <form method="post" action="\(request.mount)/miracl/logout"><button>Sign out</button></form>
            """)
    }

    private static func page(_ main: HTML) -> Response {
        Page("Sign in with MIRACL", main).response
    }
}
