import HTTP
import Phone
import PlatformKit

// The home screen: what waits, a tile for each app, and the newest pushes.
extension PhonePage {
    var home: [HTML] {
        let waits = session.requests.isEmpty ? [] : waiting(session.requests)
        let isUsed = phone.enrolsAtFirstUse || session.shownApps.contains(where: \.isEnrolled)
        return waits + [tiles] + (pushes.isEmpty ? [] : [notifications]) + (isUsed ? [refresh] : [])
    }

    private var tiles: HTML {
        let enrolled = session.shownApps.filter(\.isEnrolled)
        let others = enrollable.filter { app in
            !enrolled.contains { $0.platform == app.platform && $0.account == nil }
        }
        if enrolled.isEmpty, others.isEmpty {
            return """
                <p class="hint">None of this world's platforms has an application that a phone could have.</p>
                """
        }
        let byItself: HTML = "<p class=\"hint\">Its apps enrol when they are first used.</p>"
        return """
            <ul class="icons" aria-label="Apps">
            \(enrolled.map(tile) + others.map(offer))
            </ul>
            \(phone.enrolsAtFirstUse && enrolled.isEmpty ? [byItself] : [])
            """
    }

    private func tile(_ app: ShownApp) -> HTML {
        """
        <li class="icon"><span class="tile" aria-hidden="true">\(String(app.title.prefix(1)))</span> \
        <a href="\(path + PhoneScreen(app).path)">\(app.name)</a> <span class="about">\(app.standing(owner: phone.owner))</span></li>
        """
    }

    /// An app that the owner could be enrolled in.
    private func offer(_ app: ShownApp) -> HTML {
        let enrol: HTML =
            phone.owner.map { owner in
                form(
                    "Enrol at \(app.title)",
                    [
                        """
                        <button name="action" value="enrol" aria-label="Enrol \(owner) at \(app.title)">Enrol</button>
                        """
                    ], fields: [("platform", app.platform)])
            } ?? "<span class=\"about\">not enrolled</span>"
        return """
            <li class="icon offer"><span class="tile" aria-hidden="true">\(String(app.title.prefix(1)))</span> \
            <a href="\(path + PhoneScreen(app).path)">\(app.title)</a> \(enrol)</li>
            """
    }

    private var notifications: HTML {
        let lines = pushes.map { sent in
            "<li class=\"push\"><b>\(sent.message.subject)</b> \(.time(Timestamp.text(sent.sentAt)))</li>"
                as HTML
        }
        return "<ol class=\"pushes\" aria-label=\"Notifications\">\n\(lines)\n</ol>"
    }

    private var refresh: HTML {
        form("Look for news", ["<button name=\"action\" value=\"refresh\">Look for news</button>"])
    }
}

// What waits for an answer, on the home screen and in its app.
extension PhonePage {
    /// One that is answered, and a line for each of the next: a page has one field for a PIN.
    func waiting(_ requests: [PhoneRequest]) -> [HTML] {
        guard let chosen = requests.first(where: { $0.id == request }) ?? requests.first else { return [] }
        let others = requests.filter { $0.id != chosen.id }
        let lines = others.prefix(Self.shownOthers).map { other in
            """
            <li><a href="\(path + screen.path)?request=\(other.id.percentEncoded)">\(other.title)</a> \
            <span class="about">\(other.message)</span></li>
            """ as HTML
        }
        let left = others.count - lines.count
        let more: HTML = """
            <li><a href="\(base)/transactions?open=true">\(left) more</a> <span class="about">on the page Waiting</span></li>
            """
        let list: HTML = """
            <ul class="others-waiting" aria-label="Also waiting">
            \(left > 0 ? lines + [more] : lines)
            </ul>
            """
        return ["<div class=\"asked\">\n\(lines.isEmpty ? [card(chosen)] : [card(chosen), list])\n</div>"]
    }

    private static let shownOthers = 3

    private func card(_ request: PhoneRequest) -> HTML {
        let pin: [HTML] =
            request.ways.contains(.pin)
            ? [field("pin", "PIN (left empty, the right one)", " inputmode=\"numeric\"", isKept: false)] : []
        let ways = request.ways.compactMap { Self.ways[$0] }.enumerated().map { index, way in
            let look: HTML = index == 0 ? " class=\"primary\"" : ""
            return "<button\(look) name=\"action\" value=\"\(way.action)\">\(way.title)</button>" as HTML
        }
        let decline: HTML = "<button name=\"action\" value=\"decline\">Decline</button>"
        return """
            <article class="request" data-id="\(request.id)">
            <h2>\(request.title)</h2>
            \(request.account.map { ["<p class=\"hint\">Account \($0)</p>"] } ?? [])
            <p>\(request.message)</p>
            \(request.details.isEmpty ? [] : [HTML.facts([], request.details)])
            \(form(
                "Answer \(request.title)", pin + ways + [decline, Self.flaws(request)],
                fields: [
                    ("id", request.id), ("platform", request.platform), ("account", request.account ?? ""),
                ]))
            </article>
            """
    }

    /// What a test wants to see refused.
    private static func flaws(_ request: PhoneRequest) -> HTML {
        let inputs = [
            ConsoleRecord.Input(
                "fault", "Fault", choices: request.faults.map(\.rawValue)),
            ConsoleRecord.Input("after", "Delay in seconds"),
        ]
        return """
            <details class="more"><summary>Delay or fault</summary>
            \(RecordForm(inputs: inputs).html)
            <button name="action" value="wrong-pin">Approve with a wrong PIN</button>
            </details>
            """
    }

    private static let ways: [PhoneAnswer.Way: (action: String, title: String)] = [
        .pin: ("approve", "Approve with PIN"), .biometry: ("biometry", "Approve with biometrics"),
        .possession: ("possession", "Approve"),
    ]
}

extension ShownApp {
    /// With the account, where it is not the first: `nextAuth, work`.
    var name: String { [title, account].compactMap(\.self).joined(separator: ", ") }

    /// Who is enrolled in it, and how it is: `ada, logged out`.
    ///
    /// - Parameter owner: of the phone, who is enrolled where the app tells nobody.
    func standing(owner: String?) -> String {
        func value(_ fits: (String) -> Bool) -> String? { facts.first { fits($0.name) }?.value }
        let user = value { $0 == "User" || $0.hasPrefix("Account ") } ?? owner
        let state = value { $0 == "State" }.map(RecordWords.word)
        return [user, state].compactMap(\.self).joined(separator: ", ")
    }
}
