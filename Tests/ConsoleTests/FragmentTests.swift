import Essentials
import HTTP
import TestKit
import Testing

@testable import Console
@testable import Phone
@testable import PlatformKit

/// The pages' markup is what `Tests/Acceptance/console_fragments` says, where the scripts' author wrote it down.
@Suite struct FragmentTests {
    private static let info = ConsoleInfo(
        version: "1",
        platforms: [Nameplate.self],
        lanAddresses: ["192.168.1.5"])
    private static let people = [
        person("Ada", "1", "Fresh: her address is verified, she has never signed in."),
        person("Grace", "2", "Signs in often; she gets a passkey later."),
        person("Linus", "3", "Has an address that nobody has verified yet."),
        person("Margaret", "4", "Will be blocked by an administrator."),
    ]
    private static let addresses: WorldAddresses = {
        var request = Request(.get, "/")
        request.context.origin = "http://localhost:8420"
        request.context.askedOrigin = request.origin
        request.context.worldURL = request.origin
        request.context.namesPlatforms = true
        return WorldAddresses(request, info)
    }()
    private static let steps = FirstSteps(info.platforms, addresses, in: "default", people: people)

    private static let connect = ConnectPanel(
        base: "", platforms: info.platforms, platform: info.platforms.first, caller: .iOS,
        setup: Setup(
            values: [.init("API URL", "http://localhost:8420/hanko")],
            snippets: [.init("Shell", "curl http://localhost:8420/hanko")],
            notes: ["Hanko has no SDK for mobile apps."]
        ), addresses: addresses, hasAuthority: false, associations: ["/.well-known/assetlinks.json"])

    private static func person(_ name: String, _ last: String, _ story: String) -> Person {
        Person(
            id: "0d5f4c7e-6f0a-4a51-9b1e-2c6a1f5be00" + last, name: name,
            email: "\(name.lowercased())@example.com",
            story: story)
    }

    private static func message(
        _ id: Int, _ to: String, code: String? = "394857", kind: String = "passcode",
        subject: String = "394857 is your passcode for Hanko", text: String = "", link: String? = nil,
        sent: String,
        expires: String?, html: Bool = false
    ) -> MessageJSON {
        MessageJSON(
            id: id, channel: "mail", kind: kind, from: .init("noreply@hanko.io", name: "Hanko"),
            to: to == "Ada" ? .init("ada@example.com", name: "Ada") : .init(to), subject: subject, text: text,
            code: code,
            link: link, sentAt: "2026-03-04T\(sent).000Z", expiresAt: expires.map { "2026-03-04T\($0).000Z" },
            usedAt: nil, source: "hanko", html: html)
    }

    /// - Parameters: status, milliseconds, time of the day, target and bodies of a request.
    private static func request(
        _ id: Int, _ status: Int, _ milliseconds: Double, _ time: String, _ target: String,
        _ sent: String = "",
        _ answered: String, headers: Headers = [:], explanation: String? = nil, correlation: String? = nil,
        isBug: Bool = false
    ) throws -> JournalEntry {
        let exchange = JournalEntry.Exchange(
            method: sent.isEmpty ? "GET" : "POST", target: target, status: status, milliseconds: milliseconds,
            requestHeaders: headers, responseHeaders: ["content-type": "application/json"],
            requestBody: .init(Array(sent.utf8)), responseBody: .init(Array(answered.utf8)))
        var entry = JournalEntry(
            .request, at: try #require(Timestamp.parse("2026-03-04T\(time)Z")), platform: "hanko",
            correlation: correlation ?? "c\(id)", explanation: explanation, isBug: isBug, exchange: exchange)
        entry.id = id
        return entry
    }

    private static func event(
        _ id: Int, _ time: String, _ event: String, _ explanation: String, correlation: String? = nil
    ) throws -> JournalEntry {
        var entry = JournalEntry(
            .event, at: try #require(Timestamp.parse("2026-03-04T\(time)Z")), correlation: correlation,
            event: event,
            explanation: explanation)
        entry.id = id
        return entry
    }

    /// One line of text for each line of markup; comments and empty lines are left out, and quotes in text may be escaped.
    private static func lines(_ html: String) -> [String] {
        html.replacing(/<!--(?s:.*?)-->/, with: "").replacing("&quot;", with: "\"").replacing(
            "&#39;", with: "'"
        )
        .split(separator: "\n").map(String.init)
    }

    private static let folder = ConsoleBench.package.appending(path: "Tests/Acceptance/console_fragments")

    static func expect(
        _ html: HTML, is name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = folder.appending(path: name + ".html")
        let wanted = lines(String(decoding: try Data(contentsOf: path), as: UTF8.self))
        let found = lines(html.text)
        for (found, wanted) in zip(found, wanted) { #expect(found == wanted, sourceLocation: sourceLocation) }
        #expect(found.count == wanted.count, sourceLocation: sourceLocation)
    }

    /// What stands between head and foot of a page.
    static func main(of page: Response) throws -> HTML {
        let main = try #require(
            page.text.firstMatch(of: /<main id="main" tabindex="-1">\n((?s:.*))\n<\/main>/))
        return HTML(template: String(main.output.1), [:])
    }

    @Test func `every fragment is looked at by a test`() throws {
        let tests = ConsoleBench.package.appending(path: "Tests/ConsoleTests")
        let looked = try FileManager.default.contentsOfDirectory(atPath: tests.path).flatMap { file in
            try String(contentsOf: tests.appending(path: file), encoding: .utf8)
                .matches(of: /\bis: "([a-z-]+)"/).map { String($0.output.1) + ".html" }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == looked.sorted())
    }

    @Test func `home`() throws {
        let initialize = try Self.request(
            12, 200, 1.8, "10:15:00", "/hanko/passcode/login/initialize", "{}", "{}", correlation: "c")
        let sent = try Self.event(
            11, "10:15:00", "passcode.sent", "A passcode for ada@example.com is in the outbox.",
            correlation: "c")
        let page = HomePage(
            base: "", world: "default", now: "2026-03-04T10:16:02.000Z", isFrozen: false,
            codes: [
                Self.message(3, "ada@example.com", sent: "10:15:00", expires: "10:20:00"),
                Self.message(2, "grace@example.com", code: nil, sent: "10:01:40", expires: nil),
                Self.message(1, "grace@example.com", code: "008215", sent: "09:58:12", expires: "10:03:12"),
            ],
            groups: EntryGroup.groups(of: [initialize, sent]), people: Self.people,
            platforms: Self.info.platforms,
            addresses: Self.addresses, connect: Self.connect, waiting: [])
        let symbol = /<div class="symbol">.*?<\/div>/.dotMatchesNewlines()
        try Self.expect(
            HTML(template: page.html.text.replacing(symbol, with: "{{SYMBOL}}"), [:]), is: "home")
        let none = "<dd>only with <code>--lan</code> or <code>--host 0.0.0.0</code></dd>"
        #expect(
            try ConsoleBench(lanAddresses: []).send(.get, "/").text.contains("<dt>Local network</dt>\(none)"))
    }

    @Test func `outbox`() throws {
        let messages = [
            Self.message(3, "Ada", sent: "10:15:00", expires: nil),
            Self.message(
                2, "grace@example.com", code: nil, kind: "", subject: "Welcome", sent: "10:01:40",
                expires: nil),
        ]
        try Self.expect(
            OutboxPage(
                base: "", words: "", now: "2026-03-04T10:15:10Z", messages: messages, steps: Self.steps
            ).html, is: "outbox")
        try Self.expect(
            OutboxPage(base: "", words: "", now: "2026-03-04T10:15:10Z", messages: [], steps: Self.steps)
                .html, is: "outbox-empty")
    }

    @Test func `mail`() throws {
        try Self.expect(Self.letter(.text), is: "mail")
        try Self.expect(Self.letter(.html), is: "mail-html")
        try Self.expect(Self.letter(.raw), is: "mail-raw")
    }

    private static func letter(_ view: LetterPage.View) -> HTML {
        let message = message(
            3, "Ada",
            text:
                "Enter the following passcode on your login screen:\n\n394857\n\nThe passcode is valid for 5 minutes.",
            link: "https://app.example.com/login?code=394857", sent: "10:15:00", expires: "10:20:00",
            html: true)
        let raw = [
            "From: Hanko <noreply@hanko.io>", "To: Ada <ada@example.com>",
            "Subject: 394857 is your passcode for Hanko",
            "Date: Wed, 04 Mar 2026 10:15:00 +0000", "Message-ID: <3.default@understudy.localhost>",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "",
            "Enter the following passcode on your login screen:", "",
            "394857", "",
        ].joined(separator: "\r\n")
        let page = LetterPage(
            base: "", now: "2026-03-04T10:16:02.000Z", message: message, raw: Array(raw.utf8), view: view)
        return page.html
    }

    @Test func `journal`() throws {
        let json: Headers = ["content-type": "application/json"]
        var long = json
        long["content-length"] = "61"
        let id = "6f3c2f0e-9a51-4f43-8f5e-0f0e7a1c9d11"
        let finalize = try Self.request(
            14, 401, 0.4, "10:15:41", "/hanko/passcode/login/finalize",
            "{\"id\":\"\(id)\",\"code\":\"111111\"}",
            "{\"code\":401,\"message\":\"Unauthorized\"}", headers: long,
            explanation:
                "The passcode is wrong: 111111 came, another one was mailed to ada@example.com. 2 tries are left.",
            correlation: "f")
        let rejected = try Self.event(
            15, "10:15:41", "passcode.rejected",
            "The passcode of ada@example.com was not 111111; 2 tries are left.",
            correlation: "f")
        let moved = try Self.event(13, "10:15:20", "clock.advanced", "The clock was moved forward by 300 s.")
        let initialize = try Self.request(
            12, 200, 1.8, "10:15:00", "/hanko/passcode/login/initialize",
            "{\"user_id\":\"0d5f4c7e-6f0a-4a51-9b1e-2c6a1f5be001\"}",
            "{\"id\":\"\(id)\",\"ttl\":300,\"created_at\":\"2026-03-04T10:15:00Z\"}", headers: json)
        let broken = try Self.request(
            9, 500, 12.3, "10:14:02", "/hanko/me", "", "{\"code\":500,\"message\":\"Internal Server Error\"}",
            explanation: "An error that nobody mapped: database is locked.", isBug: true)
        let groups = EntryGroup.groups(of: [rejected, finalize, moved, initialize, broken])
        let page = JournalPage(
            base: "", choice: .init(), groups: groups, platforms: Self.info.platforms, steps: Self.steps)
        try Self.expect(page.html, is: "journal")
        let one = EntryPage(base: "", origin: "http://localhost:8420", entry: finalize, events: [rejected])
        try Self.expect(one.html, is: "entry")
        let empty = JournalPage(
            base: "", choice: .init(), groups: [], platforms: Self.info.platforms, steps: Self.steps)
        try Self.expect(empty.html, is: "journal-empty")
    }

    @Test func `a long journal has pages, which keep the filter`() throws {
        let entries = try (1...250).reversed().map { number in
            try Self.request(number, 200, 1, "10:15:00", "/hanko/me", "", "", correlation: "r\(number)")
        }
        let pages = [nil, 151, 51].map { before in
            JournalPage(
                base: "/w/blue", choice: .init(path: "/hanko", before: before),
                groups: EntryGroup.groups(of: entries.filter { $0.id < before ?? .max }), platforms: [],
                steps: Self.steps
            ).html.text
        }
        #expect(pages.map { $0.matches(of: /data-id="(\d+)"/).count } == [100, 100, 50])
        #expect(
            pages[0].contains(#"<a href="/w/blue/journal?path=%2Fhanko&amp;before=151">Older entries</a>"#))
        #expect(!pages[0].contains("Newest entries") && !pages[0].contains("data-before"))
        #expect(pages[1].contains(#"<a href="/w/blue/journal?path=%2Fhanko">Newest entries</a>"#))
        #expect(pages[1].contains("before=51") && !pages[2].contains("Older entries"))
        #expect(pages[2].contains("data-before"))
    }

    /// A transaction of the fourth of March 2026, created at `created`.
    private static func transaction(
        _ id: String, _ kind: String, _ title: String, user: String? = nil, created: String,
        steps: [(String, String)], notices: [Transaction.Notice] = []
    ) throws -> Transaction {
        let isOpen = user == nil
        let createdAt = try time(created)
        return Transaction(
            id: id, platform: "hanko", kind: kind, title: title, user: user, state: steps.last?.0 ?? "",
            isOpen: isOpen, createdAt: createdAt, expiresAt: createdAt.addingTimeInterval(300),
            code: isOpen ? "acme:1234" : nil, page: isOpen ? "/sdk/v1/qr/\(id)?key=5a1d" : nil,
            actions: isOpen ? ["confirm", "confirm:ada", "deny", "expire"] : [],
            steps: try steps.map { Transaction.Step($0.0, at: try time($0.1)) }, notices: notices)
    }

    private static func time(_ text: String) throws -> Date {
        try #require(Timestamp.parse("2026-03-04T\(text)Z"))
    }

    private static func decisions() throws -> [Transaction] {
        let url = "http://localhost:3000/callback"
        return [
            try transaction(
                "0f9c6c1e-5d0b", "otp", "Log in to the portal?", created: "10:15:00",
                steps: [("INITIALIZED", "10:15:00"), ("FETCHED", "10:15:20")]),
            try transaction(
                "7b11", "push", "Pay 100 €?", user: "ada", created: "10:10:00",
                steps: [("AUTHENTICATED", "10:10:20")],
                notices: [
                    .init(
                        url: url, at: try time("10:10:20"), status: nil, milliseconds: 5001,
                        failure: "Nothing came within 5 s."),
                    .init(
                        url: url, at: try time("10:10:26"), status: 204, milliseconds: 3.412,
                        failure: nil),
                ]),
        ]
    }

    @Test func `transactions`() throws {
        let page = TransactionsPage(
            base: "", now: try Self.time("10:16:02"), choice: .init(), transactions: try Self.decisions(),
            hasAny: true, info: Self.info, steps: Self.steps)
        try Self.expect(page.html, is: "transactions")
        let empty = TransactionsPage(
            base: "", now: try Self.time("10:16:02"), choice: .init(), transactions: [], hasAny: false,
            info: Self.info, steps: Self.steps)
        try Self.expect(empty.html, is: "transactions-empty")
    }

    @Test func `one transaction`() throws {
        let pages = try Self.decisions().map {
            TransactionPage(
                base: "", now: try Self.time("10:16:02"), transaction: $0, platform: "Hanko", mount: "hanko",
                phones: ["ada"])
        }
        var open = pages[0]
        open.refusal = "Nobody has a device that could confirm."
        open.asked = [
            PhoneRequestPlace(
                phone: "ada",
                request: PhoneRequest(
                    id: "0f9c6c1e-5d0b", platform: "hanko", kind: "otp", title: "Login", message: "",
                    details: [], ways: [.pin]))
        ]
        let drawn = open.html.text.replacing(/\ d="[^"]+"/, with: " d=\"\"")
        try Self.expect(HTML(template: drawn, [:]), is: "transaction")
        try Self.expect(pages[1].html, is: "transaction-settled")
    }

    @Test func `not here`() throws {
        let bench = try ConsoleBench()
        let console = Console(
            worlds: bench.worlds, info: Self.info, web: WebFiles(read: ConsoleBench.file),
            access: .init(token: nil))
        var request = Request(.get, "/", headers: ["Accept": "text/html"])
        request.context.origin = "http://localhost:8420"
        request.context.askedOrigin = request.origin
        request.context.worldURL = request.origin
        let sentence = "The outbox has no message 99. It may have been deleted, or its world was reset."
        try Self.expect(console.missingPage(PageMissing(sentence: sentence), request).main, is: "not-found")

        _ = bench.post("/worlds", "{\"name\": \"beta\"}")
        let page = try #require(console.worldlessPage(request, name: "alpha"))
        try Self.expect(Self.main(of: page), is: "no-world")
    }

    @Test func `the token is asked for`() throws {
        let bench = try ConsoleBench()
        let console = Console(
            worlds: bench.worlds, info: Self.info, web: WebFiles(read: ConsoleBench.file),
            access: .init(token: "t"))
        try Self.expect(console.tokenPage(Request(.get, "/"), isWrong: true).main, is: "token")
    }
}
