import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

/// Journals written by hand, from the requests of one or several flows.
private struct Story {
    private var entries: [JournalEntry] = []
    private var now = ContinuousClock.now
    private var date = Date(timeIntervalSince1970: 1_772_619_300)

    mutating func pass(_ seconds: Double) {
        now += .seconds(seconds)
        date += seconds
    }

    /// A request that took 10 ms, with the events that it caused.
    ///
    /// - Parameter elapsed: since what was told before it, when that came while it was served.
    mutating func request(
        _ method: String, _ target: String, _ status: Int = 200, of platform: String = "hanko",
        by audience: Audience = .app, agent: String? = nil, body: String = "", about subjects: [Subject] = [],
        events: [String] = [], sending: [Departure] = [], why: String? = nil, correlation: String? = nil,
        seconds: Double = 0.01, elapsed: Double? = nil
    ) {
        pass(elapsed ?? seconds)
        let correlation = correlation ?? "r\(entries.count)"
        for event in events {
            add(
                JournalEntry(
                    .event, at: date, platform: platform, correlation: correlation, event: event,
                    explanation: "It is so."))
        }
        let exchange = JournalEntry.Exchange(
            method: method, target: target, status: status, milliseconds: seconds * 1000,
            requestHeaders: agent.map { ["User-Agent": $0] } ?? [:], responseHeaders: [:],
            requestBody: .init(Array(body.utf8)), responseBody: .init([]))
        var entry = JournalEntry(
            .request, at: date, platform: platform, correlation: correlation, explanation: why,
            exchange: exchange)
        (entry.audience, entry.subjects, entry.departures) = (audience, subjects, sending)
        add(entry)
    }

    /// A message of the web socket that the request `socket` opened.
    mutating func message(
        _ text: String, _ direction: SocketMessage.Direction, socket: String, about subjects: [Subject] = []
    ) {
        pass(0.01)
        var entry = JournalEntry(
            .event, at: date, platform: "nextauth", correlation: socket, event: "web socket message")
        (entry.message, entry.audience) = (SocketMessage(direction, .text(text)), .browser)
        entry.subjects = subjects
        add(entry)
    }

    /// A mail that somebody brought by SMTP.
    mutating func mail(_ title: String, from sender: String, to recipients: [String]) {
        pass(0.01)
        var entry = JournalEntry(
            .event, at: date, event: "mail received", subject: recipients.first, explanation: "It came.")
        entry.departures = recipients.map { recipient in
            var departure = Departure(.mail, to: recipient, title: title, message: 1)
            departure.from = sender
            return departure
        }
        add(entry)
    }

    mutating func moveClock(_ seconds: Double) {
        date += seconds
        add(
            JournalEntry(
                .event, at: date, event: "clock moved",
                explanation: "The clock was moved forward by \(Int(seconds)) s."))
    }

    private mutating func add(_ entry: JournalEntry) {
        var entry = entry
        entry.id = entries.count + 1
        entry.instant = now
        entries.append(entry)
    }

    /// Newest first.
    var flows: [Flow] { FlowFinder.flows(in: entries.reversed()) }
}

@Suite struct FlowTests {
    private static let ada = Subject(.user, "ada@example.com")
    private static let passcode = Subject(
        .passcode, "6f3c2f0e-9a51-4f43-8f5e-0f0e7a1c9d11", "Login", "by passcode")

    private static func login(_ id: String = passcode.id) -> Story {
        var story = Story()
        add(login: id, to: &story)
        return story
    }

    private static func add(login id: String, to story: inout Story) {
        let passcode = Subject(.passcode, id, "Login", "by passcode")
        let mail = Departure(.mail, to: "ada@example.com", title: "123456 is your passcode", message: 1)
        story.request(
            "POST", "/hanko/passcode/login/initialize", about: [ada, passcode], events: ["passcode sent"],
            sending: [mail])
        story.request(
            "POST", "/hanko/passcode/login/finalize", about: [ada, passcode, Subject(.session, "s-\(id)")],
            events: ["passcode accepted"])
    }

    @Test func `requests about the same passcode are one flow, whatever time lies between`() throws {
        var story = Story()
        story.request("POST", "/a", about: [Self.passcode])
        story.pass(3600)
        story.request("POST", "/b", about: [Self.passcode])
        #expect(story.flows.map(\.entryIDs) == [[1, 2]])
    }

    @Test func `two logins of one person one after the other are two flows`() {
        var story = Self.login("11111111-9a51-4f43-8f5e-0f0e7a1c9d11")
        Self.add(login: "22222222-9a51-4f43-8f5e-0f0e7a1c9d11", to: &story)
        #expect(story.flows.map(\.requestCount) == [2, 2])
        #expect(
            story.flows.map(\.title) == [
                "Login of ada@example.com by passcode", "Login of ada@example.com by passcode",
            ])
    }

    @Test func `a flow is called what a person would call it`() {
        let opaque = "0f5b1c7a-2d63-4a0e-9c1b-77aa1e2f3b4c"
        var story = Story()
        story.request("POST", "/hanko/passcode/login/finalize", about: [Subject(.user, opaque), Self.ada])
        story.pass(3600)
        // Whoever is known by a number alone is called by the address that came with it before.
        story.request(
            "POST", "/hanko/webauthn/login/finalize",
            about: [Subject(.user, opaque), Subject(.challenge, "c1", "Passkey login")])
        story.pass(3600)
        // What says how it is done comes before what does not, and a platform's before the sample app's.
        story.request("POST", "/app/portal/login", of: "app", about: [Subject(.login, "l1", "Login")])
        story.request(
            "POST", "/oauth/api/v4/authenticate/user", of: "onegini",
            about: [
                Subject(.login, "l1"), Subject(.transaction, "t1", "Login", "by OTP"), Subject(.user, "ada"),
            ])
        story.pass(3600)
        story.request("DELETE", "/hanko/sessions/1", about: [Subject(.user, "67bafc0ffee12345")])
        story.pass(3600)
        story.request(
            "POST", "/a", about: [Subject(.operation, "o1", "Operation “login”"), Subject(.user, "eva")])
        #expect(
            story.flows.map(\.title).reversed() == [
                "POST /hanko/passcode/login/finalize for ada@example.com",
                "Passkey login of ada@example.com",
                "Login of ada by OTP", "DELETE /hanko/sessions/1", "Operation “login” of eva",
            ])
    }

    @Test func `a look at a session goes with the login that opened it, but not after half a minute`() {
        var story = Self.login()
        let session = Subject(.session, "s-\(Self.passcode.id)")
        story.request("GET", "/hanko/me", about: [session])
        #expect(story.flows.map(\.requestCount) == [3])
        story.pass(FlowFinder.patience + 1)
        story.request("GET", "/hanko/me", about: [session])
        #expect(story.flows.map(\.requestCount) == [1, 3])
    }

    @Test func `what a person did just before a login belongs to it, when the body alone names them`() {
        var story = Story()
        story.request("POST", "/hanko/user", body: #"{"email":"ADA@example.com"}"#)
        story.request("POST", "/hanko/user", body: #"{"email":"bob@example.com"}"#)
        Self.add(login: Self.passcode.id, to: &story)
        #expect(story.flows.map(\.requestCount).sorted() == [1, 3])
    }

    @Test func `a request that only names a thing in its path, query or body is of its flow`() {
        let operation = Subject(.operation, "3f0c1a52-0d6e-4b4b-9a0e-0b6b6f1f0a11")
        for (target, body) in [
            ("/powerauth-cloud/v2/operations/\(operation.id)", ""),
            ("/status?operationId=\(operation.id)", ""),
            ("/detail", #"{"requestObject":{"id":"\#(operation.id)"}}"#),
        ] {
            var story = Story()
            story.request("POST", "/powerauth-cloud/v2/operations", of: "powerauth", about: [operation])
            story.pass(600)
            story.request("POST", target, of: "powerauth", body: body)
            #expect(story.flows.map(\.requestCount) == [2], "\(target)")
        }
    }

    @Test func `a lone look that is about nobody is no flow, and a refusal is one`() {
        var story = Story()
        story.request("GET", "/hanko/.well-known/jwks.json")
        #expect(story.flows.isEmpty)
        story.request("GET", "/hanko/nothing", 404, why: "Nothing answers at /hanko/nothing.")
        #expect(story.flows.map(\.refusedCount) == [1])
    }

    @Test func `the text form is the same for two runs`() {
        let expected = """
            1. app → hanko: POST /hanko/passcode/login/initialize → 200
               hanko: passcode sent
               hanko → mailbox: mail “{n} is your passcode”
            2. app → hanko: POST /hanko/passcode/login/finalize → 200
               hanko: passcode accepted

            """
        for id in ["6f3c2f0e-9a51-4f43-8f5e-0f0e7a1c9d11", "0a0b0c0d-1111-4f43-8f5e-0f0e7a1c9d12"] {
            #expect(Self.login(id).flows.map(FlowText.text) == [expected])
        }
    }

    @Test func `requests that a back end makes meanwhile stand indented below the one it serves`() throws {
        let transaction = Subject(.transaction, "7a1c9d11-9a51-4f43-8f5e-0f0e7a1c9d11")
        var story = Story()
        story.pass(1)
        story.request(
            "POST", "/oauth/api/v4/authenticate/user", of: "onegini", by: .backEnd, agent: "understudy (app)",
            about: [transaction], seconds: 0.05)
        story.pass(0.01)
        story.request(
            "POST", "/app/portal/login", 303, of: "app", by: .browser, about: [transaction], seconds: 0.2,
            elapsed: 0.01)
        story.request("GET", "/oauth/sdk/v1/qr/\(transaction.id)/status", of: "onegini", by: .browser)
        story.request("GET", "/oauth/sdk/v1/qr/\(transaction.id)/status", of: "onegini", by: .browser)
        let text = try #require(story.flows.first.map(FlowText.text))
        #expect(
            text == """
                1. browser → sample app: POST /app/portal/login → 303
                2.   sample app → onegini: POST /oauth/api/v4/authenticate/user → 200
                3. browser → onegini: GET /oauth/sdk/v1/qr/{transaction}/status → 200

                """)
    }

    @Test func `a moved clock is a break, and a refusal says its sentence`() throws {
        var story = Story()
        story.request("POST", "/hanko/passcode/login/initialize", about: [Self.passcode])
        story.moveClock(301)
        story.request(
            "POST", "/hanko/passcode/login/finalize", 408, about: [Self.passcode],
            why: "The passcode expired 1.0 s ago: sent at 2026-03-04T10:15:00.000Z.")
        let flow = try #require(story.flows.first)
        #expect(
            FlowText.text(of: flow).split(separator: "\n").suffix(3) == [
                "-- The clock was moved forward by 301 s.",
                "2. app → hanko: POST /hanko/passcode/login/finalize → 408",
                "   refused: The passcode expired {n} s ago: sent at {time}.",
            ])
        let svg = FlowDrawing.svg(FlowChart(flow), base: "/w/blue").text
        #expect(svg.contains(#"class="move""#) && svg.contains("moved forward by 301 s."))
        #expect(svg.contains("expired 1.0 s ago") && svg.contains(#"href="/w/blue/journal/3""#))
    }

    @Test
    func `who asks is told by the phone's name, the browser's headers, the caller's name, or the route`() {
        let parties:
            [(agent: String?, correlation: String?, audience: Audience, body: String, name: String)] = [
                (nil, "phone.ada.3f9c", .app, "", "phone ada"), ("Mozilla/5.0", nil, .app, "", "browser"),
                ("understudy (app)", nil, .backEnd, "", "sample app"),
                ("okhttp/4.12", nil, .app, "", "Android app"),
                ("MyApp/1 CFNetwork/1410", nil, .app, "", "iOS app"), (nil, nil, .backEnd, "", "back end"),
                (nil, nil, .client, "client_id=a&client_secret=b", "back end"),
                (nil, nil, .client, "client_id=a", "app"),
            ]
        for party in parties {
            var story = Story()
            story.request(
                "POST", "/x", by: party.audience, agent: party.agent, body: party.body,
                about: [Self.passcode],
                correlation: party.correlation)
            #expect(story.flows.first?.steps.first?.from.name == party.name)
        }
    }

    @Test func `no form of a flow lets the text of a client out of its place`() throws {
        let hostile = "<script>alert(1)</script>;#%%{init}\n--> end\u{2028}"
        var story = Story()
        story.request(
            "POST", "/hanko/\(hostile)?a=\(hostile)", 400, about: [Self.passcode], events: [hostile],
            why: hostile)
        let chart = FlowChart(try #require(story.flows.first))
        let svg = FlowDrawing.svg(chart, base: "").text
        #expect(!svg.contains("<script>"))
        let mermaid = FlowMermaid.text(of: chart)
        #expect(!mermaid.contains("<") && !mermaid.contains("\u{2028}"))
        let line =
            /\ {4}((actor|participant) p\d+ as [^;\n]+|p\d+(->>|-->>|--x)p\d+: .*|Note over p\d+(,p\d+)?: .*)/
        for text in mermaid.split(separator: "\n").dropFirst() {
            #expect(text.wholeMatch(of: line) != nil, "\(text)")
            let coded = text.replacing(/#\d+;/, with: "")
            #expect(!coded.contains(";") && !coded.contains("#"), "\(text)")
        }
        #expect(FlowText.text(of: chart.flow).split(separator: "\n").count == 3)
    }

    @Test func `messages of a web socket are arrows, each in the flow of what it is about`() throws {
        let hsid = Subject(.session, secret: "AAECAwQFBgcICQ0LDA0ODxAREhMUFRYXGBkaGxwdHh8")
        let code = Subject(.code, "1fc9a43d9e58a0a1", "Login", "by QR code")
        var story = Story()
        story.request("GET", "/nextauth/ws", 101, of: "nextauth", by: .browser, correlation: "socket-1")
        story.message("REGISTER AAECAwQFBgcICQ0L shop", .received, socket: "socket-1", about: [hsid])
        story.message("LOGOUT AAECAwQFBgcICQ0L shop", .sent, socket: "socket-1", about: [hsid])
        story.request("POST", "/nextauth/device/v1/flows", of: "nextauth", about: [code, hsid])
        story.message("LOGIN AAECAwQFBgcICQ0L shop", .sent, socket: "socket-1", about: [hsid])
        // The same socket, another session.
        story.message(
            "LOGOUT BBECAwQFBgcICQ1L shop", .sent, socket: "socket-1", about: [Subject(.session, "b")])
        let flows = story.flows
        #expect(flows.map(\.entryIDs) == [[6], [1, 2, 3, 4, 5]])
        let flow = try #require(flows.last)
        #expect(
            FlowText.text(of: flow) == """
                1. browser → nextauth: GET /nextauth/ws → 101
                   browser → nextauth: message “REGISTER {id} shop”
                   nextauth → browser: message “LOGOUT {id} shop”
                2. app → nextauth: POST /nextauth/device/v1/flows → 200
                   nextauth → browser: message “LOGIN {id} shop”

                """)
        #expect(FlowChart(flow).rows.count == 7)
        #expect(FlowDrawing.svg(FlowChart(flow), base: "").text.contains(#"class="arrow message""#))
        #expect(FlowMermaid.text(of: FlowChart(flow)).contains("p2->>p3: message “REGISTER {id} shop”"))
    }

    @Test func `a mail that a back end brought goes with what its recipient does`() throws {
        var story = Story()
        story.request("POST", "/hanko/user", about: [Self.ada])
        story.mail(
            "Your code is 123456", from: "shop@example.com", to: ["ADA@example.com", "bob@example.com"])
        let flow = try #require(story.flows.first)
        #expect(
            FlowText.text(of: flow) == """
                1. app → hanko: POST /hanko/user → 200
                back end → mailbox: mail “Your code is {n}”
                back end → mailbox: mail “Your code is {n}”

                """)
        let arrows = FlowChart(flow).rows.suffix(2).compactMap { row in
            if case .arrow(let arrow, _) = row { arrow } else { nil }
        }
        #expect(
            arrows.map(\.full) == [
                "mail from shop@example.com to ADA@example.com: Your code is 123456",
                "mail from shop@example.com to bob@example.com: Your code is 123456",
            ])
        #expect(flow.users.contains("ADA@example.com"))
    }

    @Test func `a long flow is cut, and says so`() throws {
        var story = Story()
        for number in 1...250 { story.request("POST", "/hanko/step/\(number)", about: [Self.passcode]) }
        let chart = FlowChart(try #require(story.flows.first))
        #expect(chart.rows.count == 400 && chart.omitted == 50)
        #expect(FlowText.text(of: chart.flow).hasSuffix("… and 50 more steps\n"))
        #expect(FlowDrawing.svg(chart, base: "").text.contains("50 more steps are not drawn"))
    }

    @Test func `polls are one arrow with their number`() throws {
        var story = Story()
        for _ in 1...3 { story.request("GET", "/hanko/wait", about: [Self.passcode]) }
        let rows = FlowChart(try #require(story.flows.first)).rows
        guard case .arrow(let arrow, _) = rows.first else {
            Issue.record("no arrow")
            return
        }
        #expect(rows.count == 2 && arrow.times == 3)
    }
}

@Suite struct FlowCallTests {
    private struct List: Decodable {
        struct Flow: Decodable {
            let id: Int
            let requests, refused: Int
            let entries: [Int]
        }
        let flows: [Flow]
    }

    @Test func `a refusal is a flow, in every form, by any of its entries`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/refuse?why=1")
        let flows = try bench.get("/flows").json(List.self).flows
        #expect(flows.map(\.requests) == [1] && flows.map(\.refused) == [1])
        let entries = try #require(flows.first?.entries)
        for id in entries.map(String.init) + ["last"] {
            let answers = ["json", "svg", "mermaid", "text"].map { bench.get("/flows/\(id)?format=\($0)") }
            #expect(answers.map(\.status) == [.ok, .ok, .ok, .ok])
            #expect(
                answers.map { $0.headers["Content-Type"] ?? "" } == [
                    "application/json", "image/svg+xml", "text/vnd.mermaid; charset=utf-8",
                    "text/plain; charset=utf-8",
                ])
        }
    }

    @Test func `what cannot be meant is refused, and what is not there is missing`() throws {
        let bench = try ConsoleBench()
        for path in [
            "/flows/x", "/flows/1?format=pdf", "/flows?wait=1", "/flows/last?since=-1", "/flows/last?wait=61",
        ] {
            #expect(bench.get(path).status == .badRequest, "\(path)")
        }
        for path in ["/flows/1", "/flows/last", "/flows/last?user=ada"] {
            #expect(bench.get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `the pages of flows show what the API says`() throws {
        let bench = try ConsoleBench()
        #expect(bench.send(.get, "/flows").text.contains("No flows yet"))
        _ = bench.send(.get, "/acme/refuse?why=1")
        let id = try #require(try bench.get("/flows").json(List.self).flows.first?.id)
        let link = #"href="/flows/\#(id)""#
        #expect(bench.send(.get, "/flows?singles=on").text.contains(link))
        let short = bench.send(.get, "/flows").text
        #expect(!short.contains(link) && short.contains("1 request belongs to no other"))
        #expect(bench.send(.get, "/flows?singles=on&q=Refuse").text.contains(link))
        #expect(!bench.send(.get, "/flows?singles=on&q=nobody").text.contains(link))
        let page = bench.send(.get, "/flows/\(id)").text
        #expect(page.contains("<svg") && page.contains("sequenceDiagram"))
        #expect(bench.send(.get, "/journal/\(id)").text.contains(#"href="/flows/\#(id)""#))
        #expect(bench.send(.get, "/flows/99").status == .notFound)
    }
}
