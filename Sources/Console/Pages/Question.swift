import HTTP

/// Asks back before something is done that cannot be undone, where no script did.
struct Question {
    let title: String
    let sentence: HTML
    /// Where the form goes, and what it says.
    let path: String
    let form: Form
    /// Where the reader goes who does not want it.
    let back: String
    var tab: Page.Tab?

    var page: Page {
        let hidden = form.pairs.filter { $0.name != "action" && $0.name != "sure" }.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" as HTML
        }
        return Page(
            title: title, tab: tab, hasForms: true,
            main: """
                <div class="nowhere" data-page="question">
                <header class="lead">
                <h1>\(title): are you sure?</h1>
                <p>\(sentence)</p>
                </header>
                <form class="inputs" action="\(path)" method="post">
                \(hidden + ["<input type=\"hidden\" name=\"sure\" value=\"yes\">"])
                <button class="grave" name="action" value="\(form["action"] ?? "")">\(title)</button>
                <a href="\(back)">Cancel</a>
                </form>
                </div>
                """)
    }
}
