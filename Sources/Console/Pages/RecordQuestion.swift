import HTTP
import PlatformKit

/// Asks back before something is done that cannot be undone.
struct RecordQuestion {
    let base: String
    let record: ConsoleRecord
    let action: ConsoleRecord.Action
    /// What was typed into the form.
    let inputs: [String: String]

    var page: Page {
        Page(title: action.title, tab: .devices, hasForms: true, main: html)
    }

    var html: HTML {
        let (path, title) = (base + RecordLine.path(record), record.title.isEmpty ? record.id : record.title)
        let hidden = RecordForm.hidden(inputs) + ["<input type=\"hidden\" name=\"sure\" value=\"yes\">"]
        return """
            <div class="nowhere" data-page="question">
            <header class="lead">
            <h1>\(action.title): are you sure?</h1>
            <p>It is about <b>\(title)</b>\(record.user.map { " of <b>\($0)</b>" } ?? HTML.none), and cannot be undone.</p>
            </header>
            <form class="inputs" action="\(path)" method="post">
            \(hidden)
            <button class="grave" name="action" value="\(action.name)">\(action.title)</button>
            <a href="\(path)">Leave it as it is</a>
            </form>
            </div>
            """
    }
}
