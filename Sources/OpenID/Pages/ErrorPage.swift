import HTTP

/// A refusal that nobody but the person at the browser can be told. This being a development tool, it tells all.
enum ErrorPage {
    static func make(_ status: Status, code: String, _ summary: String, _ explanation: String) -> Page {
        Page(
            summary, status: status,
            """
            <h1>\(summary)</h1>
            <p class="error">\(explanation)</p>
            <p class="soft">Error <code>\(code)</code>. The journal has the whole request.</p>
            """)
    }
}
