import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Twilio

@Suite struct TwilioTests {
    private static let account = "AC0123456789abcdef0123456789abcdef"
    private static let service = "MG0123456789abcdef0123456789ABCDEF"
    private static let path = "/twilio/2010-04-01/Accounts/\(account)/Messages.json"

    private static func headers(_ name: String = account) -> Headers {
        [
            "Authorization": BasicCredentials(name: name, password: "token").header,
            "Content-Type": "application/x-www-form-urlencoded",
        ]
    }

    private static func form(_ changes: [String: String?] = [:]) -> [UInt8] {
        var members: [String: String?] = [
            "To": "+1 (415) 555-0100", "From": "+15005550006", "Body": "Your code is 482913",
        ]
        for (name, value) in changes { members[name] = value }
        return Array(Form.encode(members.compactMap { name, value in value.map { (name, $0) } }).utf8)
    }

    private func send(_ changes: [String: String?] = [:], on bench: TestBench<Twilio>) -> Response {
        bench.send(.post, Self.path, body: Self.form(changes), headers: Self.headers())
    }

    /// Source: Twilio's reference of the Message resource.
    @Test func `a text message stands in the outbox with its code, and the answer is the resource`() throws {
        let bench = try TestBench(Twilio.self)
        let answer = send(on: bench)

        #expect(answer.status == .created)
        let fields = answer.fields
        let sid = try #require(fields["sid"])
        #expect(SID.isOne(sid, "SM"))
        #expect(fields["to"] == "+14155550100" && fields["from"] == "+15005550006")
        #expect(fields["status"] == "queued" && fields["num_segments"] == "1")
        #expect(fields["uri"] == "/2010-04-01/Accounts/\(Self.account)/Messages/\(sid).json")
        let message = try #require(try bench.messages.first?.message)
        #expect(message.channel == .sms && message.code == "482913" && message.kind == "passcode")
        #expect(message.to.address == "+14155550100" && message.source == "twilio")
        #expect(bench.journal.contains { $0.event == "text message taken" })
    }

    @Test func `a messaging service has not chosen its number yet`() throws {
        let bench = try TestBench(Twilio.self)
        let answer = send(["From": nil, "MessagingServiceSid": Self.service], on: bench)
        #expect(answer.status == .created && answer.fields["status"] == "accepted")
        #expect(answer.text.contains(#""from":null"#))
        #expect(answer.fields["messaging_service_sid"] == Self.service)
        #expect(try bench.messages.first?.message.from.address == Self.service)
    }

    /// Source: Twilio's error dictionary and the numbers of its test credentials.
    @Test(
        arguments: [
            (["To": nil], 400, 21604), (["To": "0155"], 400, 21211), (["To": "+0155501000"], 400, 21211),
            (["From": nil], 400, 21603), (["From": "a name that is long"], 400, 21212),
            (["Body": nil], 400, 21602),
            (["Body": String(repeating: "x", count: 1601)], 400, 21617),
            (["From": nil, "MessagingServiceSid": "MG1"], 400, 21701), (["To": "+15005550001"], 400, 21211),
            (["To": "+15005550002"], 400, 21612), (["To": "+15005550003"], 400, 21408),
            (["To": "+15005550004"], 400, 21610), (["To": "+15005550009"], 400, 21614),
            (["From": "+15005550001"], 400, 21212), (["From": "+15005550007"], 400, 21606),
            (["From": "+15005550008"], 400, 21611), (["To": "whatsapp:+14155550100"], 501, 501),
            (["MediaUrl": "https://example.test/a.png"], 501, 501), (["ContentSid": "HX1"], 501, 501),
        ] as [([String: String?], Int, Int)])
    func `each mistake has its code and leaves the outbox empty`(
        _ changes: [String: String?], _ status: Int, _ code: Int
    ) throws {
        let bench = try TestBench(Twilio.self)
        let answer = send(changes, on: bench)
        #expect(answer.status.code == status)
        #expect(answer.text.contains("\"code\":\(code)") && answer.text.contains("\"status\":\(status)"))
        #expect(answer.fields["more_info"] == "https://www.twilio.com/docs/errors/\(code)")
        #expect(try bench.messages.isEmpty)
        #expect(bench.misshapenExplanations.isEmpty && bench.explanation != nil)
    }

    @Test func `senders may be numbers, short codes and names, and nobody else may send`() throws {
        let bench = try TestBench(Twilio.self)
        for sender in ["+4930123456", "12345", "Shop 24"] {
            #expect(send(["From": sender], on: bench).status == .created)
        }
        for headers in [
            Headers(), Self.headers("AC" + String(repeating: "f", count: 32)), ["Authorization": "Basic ?"],
        ] {
            let refused = bench.send(.post, Self.path, body: Self.form(), headers: headers)
            #expect(refused.status == .unauthorized && refused.text.contains("\"code\":20003"))
            #expect(refused.headers["WWW-Authenticate"] == "Basic realm=\"Twilio API\"")
        }
        let key = Self.headers("SK" + String(repeating: "a", count: 32))
        #expect(bench.send(.post, Self.path, body: Self.form(), headers: key).status == .created)
    }

    @Test func `Verify, XML and other resources say that they are not there`() throws {
        let bench = try TestBench(Twilio.self)
        for path in ["Verifications", "VerificationCheck"] {
            let answer = bench.send(.post, "/twilio/v2/Services/VA1/\(path)", headers: Self.headers())
            #expect(answer.status == .notImplemented && answer.text.contains("Twilio Verify is not emulated"))
        }
        let xml = "/twilio/2010-04-01/Accounts/\(Self.account)/Messages"
        #expect(bench.send(.post, xml, body: Self.form(), headers: Self.headers()).status == .notImplemented)
        #expect(bench.send(.get, "/twilio/x", headers: Self.headers()).text.contains("\"code\":20404"))
        #expect(bench.send(.get, Self.path, headers: Self.headers()).text.contains("\"code\":20004"))
    }

    /// Source: 3GPP TS 23.038 §6.1.2.1, §6.2.1.
    @Test(arguments: [
        (String(repeating: "a", count: 160), 1), (String(repeating: "a", count: 161), 2),
        (String(repeating: "€", count: 80), 1), (String(repeating: "€", count: 81), 2),
        (String(repeating: "ж", count: 70), 1), (String(repeating: "ж", count: 71), 2),
        (String(repeating: "ж", count: 134), 2), (String(repeating: "ж", count: 135), 3),
    ])
    func `a text is cut as its alphabet allows`(_ text: String, _ count: Int) {
        #expect(Segments.count(of: text) == count)
    }
}
