import HTTP
import PlatformKit

extension Console {
    /// A page that was opened with `?token=`: the right one becomes a cookie, and the address loses it.
    func admit(_ request: Request, in world: World, token: String) throws -> Response {
        guard access.token.isToken(token) else {
            return render(tokenPage(request, isWrong: true), request, in: world)
        }
        let rest = (request.query ?? "").split(separator: "&").filter {
            $0 != "token" && !$0.hasPrefix("token=")
        }
        let query = rest.isEmpty ? "" : "?" + rest.joined(separator: "&")
        return Response(
            status: .seeOther,
            headers: [
                "Location": request.mount + request.path + query,
                "Set-Cookie": access.token.setCookie(isSecure: request.askedOrigin.hasPrefix("https:")),
                "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            ])
    }

    /// Asks for the token; the form comes back as `?token=`.
    func tokenPage(_ request: Request, isWrong: Bool) -> Page {
        let said: HTML =
            isWrong
            ? "<p class=\"caution\" role=\"alert\">This is not the token that the program was started with.</p>"
            : ""
        return Page(
            status: .unauthorized, title: "Token needed",
            main: """
                <div class="nowhere" data-page="token">
                <header class="lead">
                <h1>This console asks for its token</h1>
                <p>It can be reached from other machines, so it shows users and codes only to those who know the token that it \
                was started with (<code>--control-token</code>).</p>
                </header>
                \(said)
                <form class="filters" action="\(request.mount + request.path)" method="get">
                <label class="field grow"><span>Token</span> <input type="password" name="token" required autocomplete="current-password"></label>
                <button type="submit">Open</button>
                </form>
                </div>
                """)
    }
}
