import Essentials
import Testing

@testable import Comparison

/// What a recording cannot tell is no difference, and what follows from it is none either.
@Suite struct FollowingTests {
    private static let id = "6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f"

    /// An enrollment server of somebody's own asks the management API, whose codes nobody here can make.
    private static func verification(_ isValid: Bool) -> Rehearsal.Line {
        Rehearsal.Line(
            path: "/rest/v3/signature/verify",
            asked: #"{"requestObject":{"activationId":"\#(id)","signature":"QUJDREVGR0g="}}"#,
            told: #"{"responseObject":{"activationId":"\#(id)","signatureValid":\#(isValid)}}"#)
    }

    private static func status(_ failed: Int) -> Rehearsal.Line {
        Rehearsal.Line(
            path: "/rest/v3/activation/status", asked: #"{"requestObject":{"activationId":"\#(id)"}}"#,
            told: #"{"responseObject":{"activationId":"\#(id)","failedAttempts":\#(failed)}}"#)
    }

    @Test func `a counter depends on a verdict that was another one and not compared`() throws {
        var play = Rehearsal(lines: [Self.verification(true), Self.status(0)])
        play.answers = [
            1: (200, Self.verification(false).told), 2: (200, Self.status(1).told),
        ]
        let verdicts = try play.verdicts("powerauth-java-server")
        #expect(verdicts[0].reason != nil)
        #expect(verdicts[1].followed == 1)
    }

    @Test func `a counter that differs after the same verdict is a difference`() throws {
        var play = Rehearsal(lines: [Self.verification(false), Self.status(1)])
        play.answers = [2: (200, Self.status(2).told)]
        #expect(try play.verdicts("powerauth-java-server")[1].differences == 1)
    }

    @Test func `a clock that was set back is set back`() throws {
        let play = Rehearsal(lines: [
            Rehearsal.Line(path: "/a"), Rehearsal.Line(path: "/a", time: 61),
            Rehearsal.Line(path: "/a", time: 30),
            Rehearsal.Line(path: "/a", time: 29.9),
        ])
        let notes = Rehearsal.Notes()
        _ = try play.verdicts("hanko", notes)
        #expect(notes.clocks.map { $0.timeIntervalSince1970 - 1_770_000_000 } == [0, 61, 30])
    }

    @Test(arguments: [("registrationId", true), ("client_id", false), ("state", false)])
    func `what an id in the query is of may be older than the recording`(name: String, isOlder: Bool) throws {
        var play = Rehearsal(lines: [Rehearsal.Line(method: "GET", path: "/qr?\(name)=\(Self.id)")])
        play.answers = [1: (400, "{}")]
        let verdict = try play.verdicts("powerauth-cloud")[0]
        #expect((verdict.reason?.contains("older than the recording") == true) == isOlder)
        #expect((verdict.differences == nil) == isOlder)
    }

    private static let confirmed = Rehearsal.Line(path: "/confirm", asked: #"{"code":"111111"}"#)

    private func confirmation(_ sent: [Stage.Sent]) throws -> [Finding.Verdict] {
        var play = Rehearsal(lines: [Self.confirmed, Rehearsal.Line(path: "/share")], sent: sent)
        play.answers = [2: (401, "{}")]
        return try play.verdicts("miracl")
    }

    @Test func `which of several codes was typed is not in the recording`() throws {
        let several = try confirmation([
            Stage.Sent(to: "ada@example.com", code: "222222", link: nil),
            Stage.Sent(to: "ada@example.com", code: "333333", link: nil),
        ])
        #expect(several[1].reason?.contains("several codes or links were waiting") == true)
        #expect(several[1].reason?.contains("#1") == true)
    }

    @Test func `the code of two people is that of whom the request is about`() throws {
        let (one, two) = ("11111111-70a4-4c4f-9d5e-0a1b2c3d4e5f", "22222222-70a4-4c4f-9d5e-0a1b2c3d4e5f")
        let start = Date(timeIntervalSince1970: 1_770_000_000)
        let play = Rehearsal(
            lines: [
                Rehearsal.Line(path: "/begin", told: #"{"id":"\#(one)"}"#),
                Rehearsal.Line(path: "/begin", told: #"{"id":"\#(two)"}"#, time: 1),
                Rehearsal.Line(path: "/end", asked: #"{"id":"\#(one)","code":"111111"}"#, time: 2),
            ],
            sent: [
                Stage.Sent(to: "eve@example.com", code: "333333", link: nil, at: start.adding(seconds: 1)),
                Stage.Sent(to: "ada@example.com", code: "222222", link: nil, at: start),
            ])
        let notes = Rehearsal.Notes()
        _ = try play.verdicts("hanko", notes)
        #expect(notes.bodies.last?.contains("222222") == true)
    }

    @Test(arguments: [
        (#"{"code":"7f5f287d41bf12495236071fe40834e4"}"#, true), (#"{"code":"000000"}"#, false),
    ])
    func `a code of a link that was refused may have been right once`(asked: String, isUnsure: Bool) throws {
        let link = "http://localhost/confirm?code=c61beb80b2b92ac4bc25cdd93b5643b9"
        var play = Rehearsal(
            lines: [Rehearsal.Line(path: "/confirm", asked: asked, status: 400, told: #"{"project":"app"}"#)],
            sent: [Stage.Sent(to: "ada@example.com", code: nil, link: link)])
        play.answers = [1: (400, #"{"project":""}"#)]
        let verdict = try play.verdicts("miracl")[0]
        #expect((verdict.reason?.contains("wrong or too late") == true) == isUnsure)
        #expect((verdict.differences == nil) == isUnsure)
    }

    @Test func `how often a web hook failed depends on who is not called`() throws {
        let hook = Rehearsal.Line(
            method: "GET", path: "/webhooks/1", told: #"{"failures":5,"enabled":false,"events":["user"]}"#)
        var play = Rehearsal(lines: [hook])
        play.answers = [1: (200, #"{"failures":0,"enabled":true,"events":["user"]}"#)]
        #expect(try play.verdicts("hanko-admin")[0].reason?.contains("web hooks") == true)
        play.answers = [1: (200, #"{"failures":"0","enabled":true,"events":["user"]}"#)]
        #expect(try play.verdicts("hanko-admin")[0].differences == 2)
    }

    @Test(arguments: [
        Stage.Sent(to: "ada@example.com", code: "333333", link: nil, isUsed: true),
        Stage.Sent(to: "eve@example.com", code: "333333", link: nil),
        Stage.Sent(to: "ada@example.com", code: "4444", link: nil),
    ])
    func `the only code that fits is the one`(other: Stage.Sent) throws {
        let one = try confirmation([Stage.Sent(to: "ada@example.com", code: "222222", link: nil), other])
        #expect(one[1].differences == 1)
    }
}
