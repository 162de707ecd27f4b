import Essentials
import HTTP
import PlatformKit

/// The markup of one transaction.
struct TransactionLine {
    let transaction: Transaction
    let base: String
    /// The world's time.
    let now: Date
    /// Title of its platform.
    let platform: String
    /// First path segment of its platform.
    let mount: String
    let isUnfolded: Bool
    /// Names of the phones that could scan its code.
    var phones: [String] = []
    /// Phones on which it waits for an answer.
    var asked: [PhoneRequestPlace] = []

    /// The id of the element that shows the transaction `id`, as a link names it.
    static func anchor(_ id: String) -> String {
        "t-" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    var html: HTML {
        """
        <li class="decision" id="\(Self.anchor(transaction.id))" data-id="\(transaction.id)">
        <details\(isUnfolded ? " open" : "" as HTML)>
        <summary>
        \(summary)
        </summary>
        <div class="inside">
        \([code, facts, history, notices].filter { $0 != HTML.none })
        </div>
        </details>
        \(deciders)
        </li>
        """
    }

    private var deciders: HTML {
        let forms = [answers, buttons].filter { $0 != HTML.none }
        return forms.isEmpty ? .none : "<div class=\"deciders\">\n\(forms)\n</div>"
    }

    /// A form for each phone that can answer, which goes to the page of the phone.
    private var answers: HTML {
        let forms: [HTML] = asked.prefix(3).map { place in
            """
            <form class="inputs scanners" action="\(base)/phones/\(place.phone)" method="post" \
            aria-label="Answer on the phone \(place.phone)">
            <input type="hidden" name="id" value="\(place.request)">
            <button name="action" value="approve">Approve on the phone \(place.phone)</button>
            <button class="grave" name="action" value="decline">Decline on the phone \(place.phone)</button>
            </form>
            """
        }
        return forms.isEmpty ? .none : "\(Array(forms))"
    }

    private var summary: [HTML] {
        let (outcome, word) = (
            TransactionWords.outcome(transaction), TransactionWords.sentence(transaction)
        )
        var parts: [HTML] = [
            "<span class=\"outcome \(outcome.rawValue)\">\(word)</span>",
            "<span class=\"subject\">\(transaction.title.isEmpty ? "(no text)" : transaction.title)</span>",
            "<span class=\"about\">\(transaction.kind) · \(platform)</span>",
        ]
        if let seconds = transaction.secondsLeft(at: now) {
            parts.append(
                "<span class=\"left\" data-until=\"\(Timestamp.text(transaction.expiresAt))\">\(TransactionWords.left(seconds))</span>"
            )
        }
        return parts + [.time(Timestamp.text(transaction.createdAt))]
    }

    /// The symbol to scan and the text that it says, as long as somebody can do something with them.
    private var code: HTML {
        let code = transaction.isOpen ? transaction.code : nil
        let page = transaction.page.map {
            "<p class=\"more\"><a href=\"\(base + "/" + mount + $0)\">The platform's own page</a></p>"
                as HTML
        }
        let symbol = code.map { code in
            Symbol.html(code, of: "transaction") + HTML.scanners(code, base: base, phones: phones)
        }
        let parts = (symbol ?? []) + [page].compactMap(\.self)
        return parts.isEmpty ? .none : "\(parts)"
    }

    private var facts: HTML {
        .facts(
            [
                ("Id", "<code data-copy>\(transaction.id)</code>"),
                ("User", "\(transaction.user ?? "not known yet")"), ("State", "\(transaction.state)"),
                ("Expires", .time(Timestamp.text(transaction.expiresAt))),
            ], transaction.facts)
    }

    private var history: HTML {
        transaction.steps.isEmpty ? .none : "<h2>History</h2>\n\(HTML.steps(transaction.steps))"
    }

    private var notices: HTML {
        if transaction.notices.isEmpty { return .none }
        return """
            <h2>Callbacks</h2>
            <ol class="notices">
            \(transaction.notices.map { notice($0) })
            </ol>
            """
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

    /// One form with a button for each action.
    private var buttons: HTML {
        if transaction.actions.isEmpty { return .none }
        let buttons = transaction.actions.map { action in
            let look: HTML =
                ["confirm", "approve", "release"].contains { action.hasPrefix($0) } ? "" : " class=\"grave\""
            return
                "<button\(look) name=\"action\" value=\"\(action)\">\(TransactionWords.button(action))</button>"
                as HTML
        }
        return """
            <form class="acts" action="\(base)/transactions/\(transaction.id.percentEncoded)" method="post">
            <span class="past">Bypassing the protocol, without a phone:</span>
            \(buttons)
            </form>
            """
    }
}
