import Essentials
import HTTP
import Phone
import PlatformKit

/// One transaction: its code, the answer of the phone that was asked, what can be decided without one, and what is known of it.
struct TransactionPage {
    let base: String
    /// The world's time.
    let now: Date
    let transaction: Transaction
    /// Title of its platform.
    let platform: String
    /// First path segment of its platform.
    let mount: String
    /// Names of the phones that could scan its code.
    var phones: [String] = []
    /// Phones on which it waits for an answer.
    var asked: [PhoneRequestPlace] = []
    /// Why the action that was asked for was not done.
    var refusal: String?

    private var path: String { base + TransactionLine.path(transaction.id) }

    /// The script draws each piece anew that has changed.
    var html: HTML {
        """
        <article class="transaction" data-page="transaction" data-address="\(path)">
        <header class="lead">
        <p class="back"><a href="\(base)/transactions">Waiting</a></p>
        <h1>\(TransactionLine.title(transaction))</h1>
        </header>
        \([refused].filter { $0 != HTML.none })
        <div class="pieces" id="pieces">
        \([standing, answers, code, deciders, facts, history, notices].filter { $0 != HTML.none })
        </div>
        </article>
        """
    }

    private var refused: HTML {
        refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? .none
    }

    private var standing: HTML {
        let left = TransactionLine.left(transaction, at: now)
        return """
            <p class="standing" data-piece="standing">\(TransactionLine.standing(transaction)) \
            <span class="about">\(transaction.kind) · \(platform)</span> \(left ?? .none)</p>
            """
    }

    private func panel(_ name: String, _ title: String, _ inside: [HTML]) -> HTML {
        """
        <section class="panel" data-piece="\(name)" aria-labelledby="\(name)-title">
        <h2 id="\(name)-title">\(title)</h2>
        \(inside)
        </section>
        """
    }

    /// A form for each phone that was asked.
    private var answers: HTML {
        let forms = asked.prefix(3).enumerated().map { index, place in
            let look: HTML = index == 0 ? " class=\"primary\"" : ""
            return """
                <form class="inputs" action="\(path)" method="post" aria-label="Answer on the phone \(place.phone)">
                <input type="hidden" name="phone" value="\(place.phone)">
                <input type="hidden" name="platform" value="\(place.request.platform)">
                <input type="hidden" name="account" value="\(place.request.account ?? "")">
                <button\(look) name="action" value="approve">Approve on the phone \(place.phone)</button>
                <button name="action" value="decline">Decline on the phone \(place.phone)</button>
                <a href="\(base)/phones/\(place.phone)?request=\(transaction.id.percentEncoded)" target="_top">Open the phone</a>
                </form>
                """ as HTML
        }
        return forms.isEmpty ? .none : panel("answers", "Answer of the phone", forms)
    }

    /// The symbol to scan and the text that it says, as long as somebody can do something with them.
    private var code: HTML {
        let code = transaction.isOpen ? transaction.code : nil
        let page = transaction.page.map {
            "<p class=\"more\"><a href=\"\(base + "/" + mount + $0)\" target=\"_top\">The platform's own page</a></p>"
                as HTML
        }
        let symbol = code.map { code in
            Symbol.html(code, of: "transaction") + HTML.scanners(code, base: base, phones: phones)
        }
        let parts = (symbol ?? []) + [page].compactMap(\.self)
        return parts.isEmpty ? .none : panel("code", "QR code", parts)
    }

    /// One form with a button for each action, folded where a phone can answer.
    private var deciders: HTML {
        if transaction.actions.isEmpty { return .none }
        let buttons = transaction.actions.map { action in
            "<button name=\"action\" value=\"\(action)\">\(TransactionWords.button(action))</button>" as HTML
        }
        return """
            <details class="panel" data-piece="decide"\(asked.isEmpty ? " open" : "" as HTML)>
            <summary>Decide without a phone</summary>
            <p class="hint">Bypasses the protocol: nothing is signed.</p>
            <form class="acts inputs" action="\(path)" method="post" aria-label="Decide without a phone">
            \(buttons)
            </form>
            </details>
            """
    }

    private var facts: HTML {
        panel(
            "facts", "Details",
            [
                .facts(
                    [
                        ("Id", "<code data-copy>\(transaction.id)</code>"),
                        ("User", "\(transaction.user ?? "not known yet")"), ("State", "\(transaction.state)"),
                        ("Created", .time(Timestamp.text(transaction.createdAt))),
                        ("Expires", .time(Timestamp.text(transaction.expiresAt))),
                    ], transaction.facts),
                """
                <p class="more">Mentions of this id: <a href="\(base)/journal?q=\(transaction.id.percentEncoded)" target="_top">Journal</a></p>
                """,
            ])
    }

    private var history: HTML {
        transaction.steps.isEmpty ? .none : panel("history", "History", [.steps(transaction.steps)])
    }

    private var notices: HTML {
        if transaction.notices.isEmpty { return .none }
        let list: HTML = """
            <ol class="notices">
            \(transaction.notices.map { notice($0) })
            </ol>
            """
        return panel("notices", "Callbacks", [list])
    }

    private func notice(_ notice: Transaction.Notice) -> HTML {
        let outcome = notice.failure == nil ? "good" : "broken"
        let why: HTML = notice.failure.map { " <span class=\"why\">\($0)</span>" } ?? ""
        return """
            <li class="notice"><span class="outcome \(outcome)">\(notice.status.map(String.init) ?? "no answer")</span> \
            <span class="target">\(notice.url)</span> \
            <span class="duration">\(EntryLine.duration(notice.milliseconds)) ms</span> \(.time(Timestamp.text(notice.at)))\(why)</li>
            """
    }
}
