import Essentials
import HTTP
import JOSE
import SQLite
import TestKit
import Testing

@testable import PlatformKit

@Suite struct FaultTests {
    private func bench(_ faults: String, seed: UInt64 = 1) throws -> TestBench<Acme> {
        try TestBench(Acme.self, fixtures: "{\"faults\": [\(faults)]}", seed: seed)
    }

    private func struck(_ bench: TestBench<Acme>) -> [Int] { bench.world.faults.map(\.struck) }

    @Test func `the first two hits are answered in the platform's own form, and the next goes its way`()
        throws
    {
        let bench = try bench(
            #"{"name": "down", "match": {"path": "/where", "to": 2}, "effect": {"answer": {"status": 503}}}"#)
        for _ in 1...2 {
            let answer = bench.get("/acme/where")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.text == "broken")
            #expect(bench.explanation == "The fault “down” answered with 503 instead of the platform.")
        }
        #expect(bench.get("/acme/where").status == .ok)
        #expect(bench.explanation == nil)
        #expect(struck(bench) == [2])
        #expect(bench.world.faults.map(\.seen) == [3])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `an answer has the status, the fields and the body that the rule says`() throws {
        let bench = try bench(
            #"{"effect": {"answer": {"status": 418, "headers": {"X-Tea": "pot"}, "body": {"short": "stout"}}}}"#
        )
        let answer = bench.get("/acme/where")
        #expect(answer.status.code == 418)
        #expect(answer.headers["X-Tea"] == "pot")
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.text == #"{"short":"stout"}"#)
        #expect(bench.world.faults.map(\.name) == ["answer-418"])
    }

    @Test(arguments: [
        (#"{"platform": "acme"}"#, true), (#"{"platform": "acme", "method": "GET"}"#, true),
        (#"{"method": "POST"}"#, false), (#"{"path": "/notes/:id"}"#, true), (#"{"path": "/notes/*"}"#, true),
        (#"{"path": "/*"}"#, true), (#"{"path": "/n*s/a*c"}"#, true), (#"{"path": "/notes"}"#, false),
        (#"{"path": "/notes/:id/more"}"#, false), (#"{"path": "/note/*"}"#, false),
        (#"{"user": "abc"}"#, true), (#"{"user": "ada"}"#, true), (#"{"user": "abcd"}"#, false),
        (#"{"client": "phone"}"#, true), (#"{"client": "ada"}"#, false), (#"{"from": 2}"#, false),
        (#"{"user": "ada", "client": "phone"}"#, true), (#"{"user": "ada", "client": "other"}"#, false),
    ])
    func `a rule strikes where all of its conditions hold`(match: String, strikes: Bool) throws {
        let bench = try bench("{\"match\": \(match), \"effect\": {\"answer\": {\"status\": 503}}}")
        let basic = "Basic " + Data("phone:secret".utf8).base64EncodedString()
        let answer = bench.get("/acme/notes/abc?user_id=ada", headers: ["Authorization": basic])
        #expect(answer.status == (strikes ? .serviceUnavailable : .notFound))
    }

    @Test func `a connection that ends before leaves nothing done, and one that ends after leaves it done`()
        throws
    {
        let bench = try bench(
            #"""
            {"name": "early", "match": {"method": "POST", "to": 1}, "effect": {"drop": {"when": "before"}}},
            {"name": "late", "match": {"method": "POST", "to": 1}, "effect": {"reset": {"when": "after"}}}
            """#)
        let first = bench.post("/acme/notes", raw: "one")
        #expect(first.cut == Response.Cut(isReset: false))
        #expect(try notes(bench) == [])
        #expect(bench.journal.first?.exchange?.status == 0)
        #expect(
            bench.explanation
                == "The fault “early” closed the connection without an answer; the platform did not see the request."
        )
        let second = bench.post("/acme/notes", raw: "two")
        #expect(second.cut == Response.Cut(isReset: true))
        #expect(try notes(bench) == ["two"])
        #expect(
            bench.explanation
                == "The fault “late” reset the connection instead of sending this answer; what the request asked for was done."
        )
        #expect(bench.post("/acme/notes", raw: "three").status == .created)
    }

    @Test func `a body is cut, and one that is no longer is left alone`() throws {
        let bench = try bench(
            #"{"name": "short", "match": {"path": "/where"}, "effect": {"truncate": {"bytes": 9}}}"#)
        let whole = Array("http://localhost:8420/acme".utf8)
        #expect(bench.get("/acme/where").cut == Response.Cut(body: whole, sent: 9))
        #expect(
            bench.explanation == "The fault “short” ended this answer after 9 of the 26 bytes of its body.")
        try bench.world.replaceFaults(cutAfter: 26)
        #expect(bench.get("/acme/where").text == "http://localhost:8420/acme")
        #expect(struck(bench) == [0])
    }

    @Test func `a late answer is the same, and later`() throws {
        let bench = try bench(#"{"name": "slow", "effect": {"delay": {"seconds": 0.05}}}"#)
        let start = ContinuousClock.now
        #expect(bench.get("/acme/where").text == "http://localhost:8420/acme")
        #expect(ContinuousClock.now - start >= .seconds(0.05))
        #expect(bench.explanation == "The fault “slow” delayed this answer by 0.05 s.")
        #expect(bench.get("/acme/notes/none").status == .notFound)
        #expect(bench.explanation?.hasPrefix("There is no note \"none\". The fault “slow” delayed") == true)
    }

    @Test func `what exceeds a rate is refused until the world's time has passed`() throws {
        let bench = try bench(
            #"{"name": "limit", "match": {"path": "/where"}, "effect": {"rate_limit": {"requests": 2, "seconds": 60}}}"#
        )
        #expect((1...2).map { _ in bench.get("/acme/where").status } == [.ok, .ok])
        bench.time.advance(seconds: 17.5)
        let refused = bench.get("/acme/where")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headers["Retry-After"] == "43")
        #expect(refused.text == "what?")
        bench.time.advance(seconds: 43)
        #expect(bench.get("/acme/where").status == .ok)
        #expect(struck(bench) == [1])
    }

    @Test func `chance strikes as often as it should, and the same seed strikes the same`() throws {
        let strikes = try (1...2).map { _ in
            let bench = try bench(
                #"{"match": {"probability": 0.25}, "effect": {"answer": {"status": 503}}}"#, seed: 4)
            return (1...400).map { _ in bench.get("/acme/where").status == .ok }
        }
        #expect(strikes[0] == strikes[1])
        // Within four standard deviations, of 8.7 each.
        #expect((65...135).contains(strikes[0].count { !$0 }))
    }

    @Test func `a mail is lost, doubled, or late by the world's clock`() throws {
        let bench = try bench(
            #"""
            {"name": "gone", "match": {"to": 1}, "effect": {"mail": {"fate": "lost"}}},
            {"name": "echo", "match": {"to": 1}, "effect": {"mail": {"fate": "twice"}}},
            {"name": "snail", "match": {"user": "eve"}, "effect": {"mail": {"fate": "late", "seconds": 30}}}
            """#)
        #expect(bench.send(.post, "/acme/send/ada").status == .noContent)
        #expect(try bench.messages.isEmpty)
        #expect(bench.explanation == "By the fault “gone” the mail to ada is lost.")
        _ = bench.send(.post, "/acme/send/bob")
        #expect(try bench.messages.map(\.message.to.address) == ["bob", "bob"])
        _ = bench.send(.post, "/acme/send/eve")
        _ = bench.send(.post, "/acme/send/zoe")
        #expect(try bench.messages.map(\.message.to.address) == ["zoe", "bob", "bob"])
        bench.time.advance(seconds: 29)
        bench.world.clockMoved()
        #expect(try bench.messages.count == 3)
        bench.time.advance(seconds: 1)
        bench.world.clockMoved()
        #expect(try bench.messages.first?.message.to.address == "eve")
        #expect(try bench.messages.first?.sentAt == bench.clock.now)
        #expect(bench.journal.first?.event == "late message sent")
        #expect(bench.misshapenExplanations == [])
    }

    /// Rows hold whole milliseconds, a clock does not.
    @Test func `a late mail goes out in time when the clock stands between two milliseconds`() throws {
        let bench = try bench(#"{"name": "snail", "effect": {"mail": {"fate": "late", "seconds": 30}}}"#)
        bench.time.advance(seconds: 0.0006)
        _ = bench.send(.post, "/acme/send/eve")
        bench.time.advance(seconds: 30)
        bench.world.clockMoved()
        #expect(try bench.messages.map(\.message.to.address) == ["eve"])
    }

    @Test func `a mail of a turn that comes to nothing was not struck`() throws {
        let bench = try bench(#"{"name": "gone", "effect": {"mail": {"fate": "lost"}}}"#)
        let world = bench.world
        let strikes = try #require(
            try world.strikes(at: "POST", "/x", of: ["acme"]) { RequestNames(Request(.post, "/x")) })
        let served = world.serving("r", platform: "acme", .none, strikes)
        let message = Message(
            kind: "otp", from: .init("a@b.c"), to: .init("ada"), subject: "s", text: "t", source: "acme")
        #expect(throws: Acme.Unmapped.self) {
            try served.change { turn in
                try turn.send(message)
                throw Acme.Unmapped()
            }
        }
        #expect(struck(bench) == [0])
        #expect(strikes.explanation == nil)
        try served.change { try $0.send(message) }
        #expect(struck(bench) == [1])
    }

    @Test func `a token that is signed for the request has the flaw, the next is good`() throws {
        let bench = try bench(
            #"{"match": {"to": 1}, "effect": {"token": {"flaw": "expired", "kind": "id_token"}}}"#)
        let strikes = try #require(
            try bench.world.strikes(at: "POST", "/x", of: ["acme"]) {
                RequestNames(Request(.post, "/x"))
            })
        let changes = strikes.tokenAlterations
        #expect(changes.change(SigningSubject("acme", "access_token"))?.flaw == nil)
        #expect(changes.change(SigningSubject("acme", "id_token"))?.flaw == .expired)
        #expect(changes.change(SigningSubject("acme", "id_token"))?.flaw == nil)
        #expect(
            strikes.explanation?.hasPrefix("The fault “token-expired” spoilt the id token that was signed.")
                == true)
    }

    @Test func `the platform takes another time for a device whose clock is wrong`() throws {
        let bench = try bench(
            #"{"name": "skew", "match": {"to": 1}, "effect": {"clock_skew": {"seconds": 3600}}}"#)
        _ = bench.post("/acme/notes", raw: "one")
        _ = bench.post("/acme/notes", raw: "two")
        let written = try bench.world.database.read {
            try $0.all(Acme.Note.self, "SELECT * FROM acme_note ORDER BY body").map(\.written)
        }
        #expect(written == [ManualTime.start - 3600, ManualTime.start])
        #expect(
            bench.journal.last { $0.kind == .request }?.explanation
                == "By the fault “skew” the platform took the clock of this device to be 3600 s ahead.")
    }

    @Test func `rules are asked in their order, and one that answers ends the asking`() throws {
        let bench = try bench(
            #"""
            {"name": "one", "match": {"to": 1}, "effect": {"answer": {"status": 500}}},
            {"name": "two", "match": {"to": 1}, "effect": {"answer": {"status": 502}}}
            """#)
        #expect((1...3).map { _ in bench.get("/acme/where").status.code } == [500, 502, 200])
    }

    @Test func `a preflight is no hit`() throws {
        let bench = try bench(#"{"effect": {"answer": {"status": 503}}}"#)
        let headers: Headers = ["Origin": "http://page.example", "Access-Control-Request-Method": "POST"]
        #expect(bench.send(.options, "/acme/notes", headers: headers).status == .noContent)
        #expect(struck(bench) == [0])
    }

    @Test func `numbers and rules are part of snapshots, exports and other worlds' copies`() throws {
        let bench = try bench(#"{"name": "down", "match": {"to": 2}, "effect": {"answer": {"status": 503}}}"#)
        _ = bench.get("/acme/where")
        _ = try bench.worlds.takeSnapshot("once", of: "default")
        _ = bench.get("/acme/where")
        _ = bench.get("/acme/where")
        #expect(struck(bench) == [2])
        try bench.worlds.restore("once", in: "default", keepsClock: false)
        #expect(struck(bench) == [1])
        #expect(bench.get("/acme/where").status == .serviceUnavailable)
        #expect(bench.get("/acme/where").status == .ok)
        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "f"), into: bench.world)
        #expect(bench.world.faults.map { [$0.seen, $0.struck] } == [[3, 2]])
        #expect(try bench.worlds.export(bench.world) == exported)
        try bench.worlds.reset("default")
        #expect(struck(bench) == [0])
    }

    @Test(arguments: [
        (#"{"effect": {}}"#, "effect: expected exactly one of"),
        (#"{"effect": {"drop": {"when": "after"}, "delay": {"seconds": 1}}}"#, "found delay and drop"),
        (
            #"{"effect": {"answer": {"status": 99}}}"#,
            "effect.answer.status: expected a whole number, 200 to 599, found 99"
        ),
        (#"{"effect": {"delay": {"seconds": -1}}}"#, "effect.delay.seconds: expected a number of seconds"),
        (#"{"effect": {"mail": {"fate": "late"}}}"#, "effect.mail.seconds: expected the seconds"),
        (#"{"effect": {"mail": {"fate": "lost", "seconds": 1}}}"#, "only what is late has seconds"),
        (#"{"effect": {"token": {"flaw": "stale"}}}"#, "effect.token.flaw: expected one of alg_none"),
        (#"{"effect": {"dealy": {"seconds": 1}}}"#, "effect.dealy: unknown member; did you mean “delay”?"),
        (
            #"{"match": {"platform": "akme"}, "effect": {"drop": {"when": "after"}}}"#,
            "match.platform: expected one of acme"
        ),
        (
            #"{"match": {"from": 3, "to": 2}, "effect": {"drop": {"when": "after"}}}"#,
            "match.to: expected a whole number, 3 or more, found 2"
        ),
        (
            #"{"match": {"path": "token"}, "effect": {"drop": {"when": "after"}}}"#,
            "match.path: expected a path"
        ),
        (
            #"{"match": {"probability": 0}, "effect": {"drop": {"when": "after"}}}"#,
            "match.probability: expected a number more than 0"
        ),
        (#"{"name": "", "effect": {"drop": {"when": "after"}}}"#, "name: expected 1 to 40"),
        (#"{"name": "A B", "effect": {"drop": {"when": "after"}}}"#, "name: expected 1 to 40"),
        (
            #"{"effect": {"answer": {"status": 200, "headers": {"A": "b\r\nc"}}}}"#,
            "effect.answer.headers.A: expected the name"
        ),
    ])
    func `a bad rule is refused with its place`(rule: String, sentence: String) throws {
        let error = #expect(throws: FixtureError.self) {
            try FaultRule.rule(reading: Array(rule.utf8), platforms: ["acme"])
        }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        let inFixtures = #expect(throws: FixtureError.self) { try bench(rule) }
        #expect(inFixtures?.description.contains("faults[0]") == true, "\(inFixtures?.description ?? "")")
    }

    @Test func `effects are written in a few characters, too`() {
        let good: [(any FaultEffect.Type, String, String)] = [
            (AnswerEffect.self, "503", "answers 503"), (DelayEffect.self, "1500ms", "delays by 1.5 s"),
            (DelayEffect.self, "1s..3s", "delays by 1 to 3 s"),
            (TrickleEffect.self, "16/500ms", "sends 16 bytes each 0.5 s"),
            (MailEffect.self, "late:30s", "mail late by 30 s"),
            (RateLimitEffect.self, "10/1m", "lets 10 requests pass each 60 s"),
            (ClockSkewEffect.self, "-5m", "device clock 300 s behind"),
            (TokenEffect.self, "alg_none:id_token", "id_token alg_none"),
            (PushEffect.self, "twice", "push twice"),
            (PatchEffect.self, #"{"b":1,"a":null}"#, "changes the members a, b"),
            (DropEffect.self, "after", "drops the connection after the platform acts"),
        ]
        for (kind, text, words) in good { #expect(kind.init(text)?.words == words) }
        let bad: [(any FaultEffect.Type, String)] = [
            (AnswerEffect.self, "down"), (DelayEffect.self, "3s..1s"), (DelayEffect.self, "soon"),
            (DropEffect.self, "never"), (TrickleEffect.self, "16"), (MailEffect.self, "late"),
            (MailEffect.self, "lost:3s"), (TokenEffect.self, "stale"), (TokenEffect.self, "expired:"),
            (TruncateEffect.self, "all"), (PatchEffect.self, "503"), (PatchEffect.self, "[]"),
        ]
        for (kind, text) in bad { #expect(kind.init(text) == nil, "\(kind) \(text)") }
    }

    /// What is written once is read as it was before effects were types of their own, and comes back letter by letter.
    @Test(arguments: [
        #"{"answer":{"body":{"a":1},"headers":{"X-A":"b"},"status":418}}"#,
        #"{"patch":{"body":{"a":null},"headers":{"X-A":null,"X-B":"b"},"of_status":200,"status":201}}"#,
        #"{"delay":{"seconds":1.5,"spread":2}}"#, #"{"drop":{"when":"before"}}"#,
        #"{"reset":{"when":"after"}}"#,
        #"{"truncate":{"bytes":20}}"#, #"{"trickle":{"bytes":16,"seconds":0.5}}"#,
        #"{"rate_limit":{"requests":10,"seconds":60}}"#, #"{"mail":{"fate":"late","seconds":30}}"#,
        #"{"sms":{"fate":"lost"}}"#, #"{"push":{"fate":"twice"}}"#, #"{"callback":{"fate":"lost"}}"#,
        #"{"clock_skew":{"seconds":-300}}"#, #"{"token":{"flaw":"expired","kind":"id_token"}}"#,
    ])
    func `an effect is one member with its values`(effect: String) throws {
        let rule = try FaultRule.rule(reading: Array("{\"effect\": \(effect)}".utf8), platforms: ["acme"])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = String(decoding: try encoder.encode(rule), as: UTF8.self)
        #expect(written == "{\"effect\":\(effect),\"match\":{},\"seen\":0,\"struck\":0}")
        #expect(try JSONDecoder().decode(FaultRule.self, from: Data(written.utf8)) == rule)
    }

    private func notes(_ bench: TestBench<Acme>) throws -> [String] {
        try bench.world.database.read { try Acme.export(from: $0) }.notes?.map(\.body) ?? []
    }
}

extension World {
    fileprivate func replaceFaults(cutAfter bytes: Int) throws {
        let effect = try #require(TruncateEffect(String(bytes)))
        _ = try replaceFaults(with: [FaultRule("short", FaultMatch(), effect)])
    }
}

extension Response {
    fileprivate var cut: Cut? { if case .cut(let cut) = body { cut } else { nil } }
}
