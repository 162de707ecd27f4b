import Testing

@testable import Mail

/// A client that speaks to a dialogue without a socket.
struct Talk {
    private(set) var dialogue: MailDialogue
    private(set) var mails: [(envelope: Envelope, text: String)] = []
    private(set) var refused: [MailFault] = []
    private(set) var wantsTLS = false

    init(_ limits: MailLimits = MailLimits(), offersTLS: Bool = false) {
        dialogue = MailDialogue(limits: limits, offersTLS: offersTLS)
        dialogue.output = []
    }

    /// The replies to what is sent in one piece.
    mutating func say(_ text: String) -> String { say(Array(text.utf8)) }

    mutating func say(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { dialogue.append($0) }
        events: while true {
            switch dialogue.next() {
            case .needsMore, .over: break events
            case .refused(let fault): refused.append(fault)
            case .startTLS:
                wantsTLS = true
                break events
            case .mail(let envelope, let mail):
                mails.append((envelope, String(decoding: mail, as: UTF8.self)))
                _ = dialogue.answer(.success("kept"))
            }
        }
        defer { dialogue.output = [] }
        return String(decoding: dialogue.output, as: UTF8.self)
    }

    mutating func beginTLS() { dialogue.beginTLS() }

    /// Up to DATA.
    mutating func beginMail(_ recipients: String...) -> String {
        _ = say("EHLO client.example\r\n")
        let names = recipients.isEmpty ? ["b@example.com"] : recipients
        return say(
            "MAIL FROM:<a@example.com>\r\n" + names.map { "RCPT TO:<\($0)>\r\n" }.joined() + "DATA\r\n")
    }
}

@Suite struct DialogueTests {
    /// Source: RFC 5321 appendix D.1.
    @Test func `a declared mail asks for its size once, one without a size for half as much again`() throws {
        var limits = MailLimits()
        limits.freeBytes = 100
        let line = String(repeating: "x", count: 98) + "\r\n"
        for (parameter, most) in [(" SIZE=10000", 1), ("", 12)] {
            var dialogue = MailDialogue(limits: limits, offersTLS: false)
            var asked = 0
            var mail: [UInt8]?
            func send(_ text: String) {
                Array(text.utf8).withUnsafeBytes { dialogue.append($0) }
                while true {
                    if case .mail(_, let whole) = dialogue.next() { mail = whole }
                    guard dialogue.wantedRoom != nil else { return }
                    asked += 1
                    dialogue.grantRoom()
                }
            }
            send("EHLO a\r\n")
            send("MAIL FROM:<a@b.test>\(parameter)\r\n")
            send("RCPT TO:<c@d.test>\r\n")
            send("DATA\r\n")
            for _ in 1...100 { send(line) }
            send(".\r\n")
            #expect(mail.map { String(decoding: $0, as: UTF8.self) } == String(repeating: line, count: 100))
            #expect((1...most).contains(asked), "\(asked) times")
        }
    }

    @Test func `a typical transaction keeps the recipients and the text`() {
        var talk = Talk()
        #expect(talk.say("EHLO bar.com\r\n").hasSuffix("\r\n250 HELP\r\n"))
        #expect(talk.say("MAIL FROM:<Smith@bar.com>\r\n").hasPrefix("250 "))
        #expect(talk.say("RCPT TO:<Jones@foo.com>\r\n").hasPrefix("250 "))
        #expect(talk.say("RCPT TO:<Brown@foo.com>\r\n").hasPrefix("250 "))
        #expect(talk.say("DATA\r\n").hasPrefix("354 "))
        #expect(talk.say("Blah blah blah...\r\n...etc. etc. etc.\r\n").isEmpty)
        #expect(talk.say(".\r\n") == "250 2.0.0 ok, kept\r\n")
        #expect(talk.say("QUIT\r\n").hasPrefix("221 "))

        #expect(talk.mails.map(\.text) == ["Blah blah blah...\r\n..etc. etc. etc.\r\n"])
        #expect(talk.mails.first?.envelope.sender == "Smith@bar.com")
        #expect(talk.mails.first?.envelope.recipients == ["Jones@foo.com", "Brown@foo.com"])
        #expect(talk.dialogue.isOver)
    }

    /// Source: RFC 2920 §3.1.
    @Test func `a group of commands is answered in one piece, and the next group may follow the dot`() {
        var talk = Talk()
        #expect(
            talk.beginMail("x@example.com", "y@example.com").split(separator: "\r\n").map { $0.prefix(3) }
                == ["250", "250", "250", "354"])
        let replies = talk.say("hi\r\n.\r\nMAIL FROM:<>\r\nRCPT TO:<z@example.com>\r\nDATA\r\n")
        #expect(replies.split(separator: "\r\n").map { $0.prefix(3) } == ["250", "250", "250", "354"])
        _ = talk.say("bounce\r\n.\r\nQUIT\r\n")
        #expect(talk.mails.map(\.envelope.sender) == ["a@example.com", ""])
    }

    @Test(arguments: [
        "hi\n.\nMAIL FROM:<c@example.com>\r\n.\r\n", "hi\n.\r\n", "hi\r\n.\nRCPT\r\n.\r\n",
        "hi\r.\r\r\n.\r\n", "hi\r.\r\n",
        "hi\r\n.\rX\r\n.\r\n", "\r\r\n.\r\n", "hi\r\r\n.\r\n", "\n.\r\n", "a\u{0}b\n\r\n.\r\n",
    ])
    func `a mail whose lines end otherwise than in CR LF is refused, and nothing behind it is obeyed`(
        _ data: String
    ) {
        var talk = Talk()
        #expect(talk.beginMail().contains("354 "))
        let replies = talk.say(data + "MAIL FROM:<smuggled@example.com>\r\nRCPT TO:<d@example.com>\r\n")
        #expect(replies.hasPrefix("554 5.5.2 "))
        #expect(replies.split(separator: "\r\n").count == 1)
        #expect(talk.mails.isEmpty && talk.dialogue.isOver)
        #expect(talk.refused.first?.explanation.contains("smuggled") == true)
    }

    @Test(arguments: ["NOOP\nNOOP\r\n", "NOOP\rNOOP\r\n", "\nNOOP\r\n", "NOOP\r\r\n"])
    func `a command that ends otherwise than in CR LF ends the session`(_ command: String) {
        var talk = Talk()
        #expect(talk.say(command).hasPrefix("554 5.5.2 bare <"))
        #expect(talk.dialogue.isOver)
    }

    @Test(arguments: ["DATA\r\n", "EHLO again.example\r\n", "AUTH PLAIN\r\n", "STARTTLS\r\n"])
    func `what does not wait for an answer that changes its meaning ends the session`(_ command: String) {
        var talk = Talk(offersTLS: true)
        _ = talk.say("EHLO client.example\r\n")
        if command == "DATA\r\n" { _ = talk.say("MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\n") }
        #expect(talk.say(command + "RSET\r\n").hasPrefix("554 5.5.0 "))
        #expect(talk.dialogue.isOver && !talk.wantsTLS)
    }

    @Test func `commands out of order are refused, and the session goes on`() {
        var talk = Talk()
        #expect(talk.say("MAIL FROM:<a@example.com>\r\n").hasPrefix("503 5.5.1 "))
        _ = talk.say("EHLO client.example\r\n")
        #expect(talk.say("RCPT TO:<b@example.com>\r\n").hasPrefix("503 5.5.1 "))
        #expect(talk.say("DATA\r\n").hasPrefix("503 5.5.1 "))
        _ = talk.say("MAIL FROM:<a@example.com>\r\n")
        #expect(talk.say("DATA\r\n").hasPrefix("503 5.5.1 "))
        #expect(talk.say("MAIL FROM:<a@example.com>\r\n").hasPrefix("503 5.5.1 "))
        #expect(talk.say("RSET\r\n").hasPrefix("250 "))
        #expect(talk.say("MAIL FROM:<a@example.com>\r\n").hasPrefix("250 "))
    }

    @Test(arguments: [
        ("MAIL FROM:a@example.com", "501 5.5.4"), ("MAIL FROM:<a@example.com", "501 5.5.4"),
        ("MAIL FROM:<a>", "501 5.1.7"),
        ("MAIL FROM:<a b@example.com>", "501 5.1.7"), ("MAIL FROM:<ä@example.com>", "553 5.6.7"),
        ("MAIL FROM:<a@example.com> SIZE=99999999", "552 5.3.4"),
        ("MAIL FROM:<a@example.com> SIZE=x", "501 5.5.4"),
        ("MAIL FROM:<a@example.com> SIZE=1 SIZE=2", "501 5.5.4"),
        ("MAIL FROM:<a@example.com> BODY=BINARYMIME", "501 5.5.4"),
        ("MAIL FROM:<a@example.com> RET=FULL", "555 5.5.4"), ("FOO", "500 5.5.1"),
        ("BDAT 5 LAST", "502 5.5.1"),
        ("GET / HTTP/1.1", "554 5.5.0"), ("EHLO", "501 5.5.4"), ("STARTTLS", "502 5.5.1"),
        ("AUTH CRAM-MD5", "504 5.5.4"),
        ("MAIL FROM:<\u{1}@example.com>", "500 5.5.2"),
    ])
    func `each mistake has its code`(_ command: String, _ code: String) {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        #expect(talk.say(command + "\r\n").hasPrefix(code))
        #expect(talk.refused.count == 1 && talk.mails.isEmpty)
        // As the journal tells it.
        let sentence = talk.refused.first?.explanation ?? ""
        #expect(sentence.first?.isUppercase == true && sentence.hasSuffix(".") && !sentence.hasSuffix(".."))
    }

    @Test(arguments: [
        ("<a@example.com>", "a@example.com"), (" <a@example.com> ", "a@example.com"),
        ("<@relay.example:a@example.com>", "a@example.com"),
        ("<\"a b>\"@example.com>", "\"a b>\"@example.com"), ("<a@[127.0.0.1]>", "a@[127.0.0.1]"),
        ("<Postmaster>", "Postmaster"),
    ])
    func `an address is read from its path`(_ path: String, _ address: String) {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        _ = talk.say("MAIL FROM:<>\r\n")
        #expect(talk.say("RCPT TO:\(path)\r\n").hasPrefix("250 "))
        #expect(talk.dialogue.envelope.recipients == [address])
    }

    @Test func `SMTPUTF8 lets addresses be more than ASCII`() {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        #expect(talk.say("MAIL FROM:<zoë@example.com> BODY=8BITMIME SMTPUTF8 SIZE=100\r\n").hasPrefix("250 "))
        #expect(talk.say("RCPT TO:<用户@例子.广告>\r\n").hasPrefix("250 "))
        #expect(talk.dialogue.envelope.transport == "UTF8SMTP")
    }
}

@Suite struct DialogueLimitTests {
    private static var small: MailLimits {
        var limits = MailLimits()
        (limits.messageBytes, limits.recipients, limits.lineBytes) = (100, 2, 50)
        (limits.refusals, limits.idleCommands, limits.copiesBytes) = (3, 5, 150)
        return limits
    }

    @Test func `a mail over the limit is read to its end, refused, and the session goes on`() {
        var talk = Talk(Self.small)
        _ = talk.beginMail()
        #expect(talk.say(String(repeating: "0123456789\r\n", count: 20)).isEmpty)
        #expect(talk.say(".\r\n").hasPrefix("552 5.3.4 "))
        #expect(talk.say("MAIL FROM:<a@example.com>\r\n").hasPrefix("250 "))
        #expect(talk.mails.isEmpty)
    }

    @Test func `a mail that never ends is cut off`() {
        var talk = Talk(Self.small)
        _ = talk.beginMail()
        #expect(talk.say(String(repeating: "0123456789\r\n", count: 50)).hasPrefix("552 5.3.4 "))
        #expect(talk.dialogue.isOver)
    }

    @Test func `a line over the limit, a command over the limit and a recipient too many are refused`() {
        var talk = Talk(Self.small)
        _ = talk.beginMail("b@example.com", "c@example.com")
        #expect(talk.say(String(repeating: "x", count: 51)).hasPrefix("554 5.6.0 "))
        var other = Talk(Self.small)
        #expect(other.say(String(repeating: "x", count: 2049)).hasPrefix("500 5.5.2 "))
        // The length is seen first, in whatever pieces the command comes.
        var long = Talk(Self.small)
        #expect(long.say(String(repeating: "x", count: 3000) + "\n").hasPrefix("500 5.5.2 "))
        var third = Talk(Self.small)
        #expect(third.beginMail("b@example.com", "c@example.com", "d@example.com").contains("\r\n452 4.5.3 "))
    }

    @Test func `copies for all recipients count together`() {
        var talk = Talk(Self.small)
        _ = talk.beginMail("b@example.com", "c@example.com")
        #expect(talk.say(String(repeating: "0123456789\r\n", count: 7) + ".\r\n").hasPrefix("552 5.3.4 "))
        #expect(talk.mails.isEmpty)
    }

    @Test func `a session ends with too many refusals, or too many commands without a mail`() {
        var talk = Talk(Self.small)
        #expect(
            talk.say("A\r\nB\r\nC\r\nD\r\n").split(separator: "\r\n").map { $0.prefix(3) } == [
                "500", "500", "500", "421",
            ])
        #expect(talk.dialogue.isOver)
        var idle = Talk(Self.small)
        #expect(
            idle.say(String(repeating: "NOOP\r\n", count: 9)).split(separator: "\r\n").map { $0.prefix(3) }
                == ["250", "250", "250", "250", "250", "421"])
    }
}

@Suite struct DialogueAuthenticationTests {
    /// The example of RFC 4616 §4: user tim, password tanstaaftanstaaf.
    @Test(arguments: [
        ["AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\n"],
        ["AUTH PLAIN\r\n", "AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\n"],
        ["auth login\r\n", "dGlt\r\n", "dGFuc3RhYWZ0YW5zdGFhZg==\r\n"],
        ["AUTH LOGIN dGlt\r\n", "dGFuc3RhYWZ0YW5zdGFhZg==\r\n"],
    ])
    func `PLAIN and LOGIN let anybody in and tell who it is`(_ lines: [String]) {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        for line in lines.dropLast() { #expect(talk.say(line).hasPrefix("334 ")) }
        #expect(talk.say(lines.last ?? "").hasPrefix("235 2.7.0 "))
        #expect(talk.dialogue.envelope.login?.user == "tim")
        #expect(talk.say("AUTH PLAIN AHRpbQB0\r\n").hasPrefix("503 "))
    }

    @Test(arguments: [
        ("*", "501 5.7.0"), ("!", "501 5.5.2"), ("dGlt", "501 5.5.2"), ("=", "501 5.5.2"),
        ("AP8A", "501 5.5.2"),
    ])
    func `what is no answer of PLAIN is refused`(_ answer: String, _ code: String) {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        _ = talk.say("AUTH PLAIN\r\n")
        #expect(talk.say(answer + "\r\n").hasPrefix(code))
        #expect(talk.dialogue.envelope.login == nil)
        #expect(talk.say("NOOP\r\n").hasPrefix("250 "))
    }

    /// Source: RFC 3207 §4.2.
    @Test func `STARTTLS forgets what was said before it`() {
        var talk = Talk(offersTLS: true)
        #expect(talk.say("EHLO client.example\r\n").contains("250-STARTTLS\r\n"))
        _ = talk.say("AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\n")
        #expect(talk.say("STARTTLS\r\n").hasPrefix("220 "))
        #expect(talk.wantsTLS)
        talk.beginTLS()
        #expect(talk.say("MAIL FROM:<a@example.com>\r\n").hasPrefix("503 "))
        #expect(!talk.say("EHLO client.example\r\n").contains("STARTTLS"))
        #expect(talk.dialogue.envelope.login == nil && talk.dialogue.envelope.transport == "ESMTPS")
        #expect(talk.say("STARTTLS\r\n").hasPrefix("503 "))
    }

    @Test func `TLS without STARTTLS gets an alert`() {
        var talk = Talk(offersTLS: true)
        _ = talk.say([22, 3, 1, 2])
        #expect(talk.refused == [.tlsWithoutAsking] && talk.dialogue.isOver)
    }

    /// Source: RFC 1870 §4: `size-value ::= 1*20DIGIT`.
    @Test(arguments: ["SIZE=", "SIZE", "SIZE=-1", "SIZE=1e3", "SIZE=123456789012345678901", "SIZE=1 SIZE=1"])
    func `a size that is no number is an argument that is wrong, and no mail that is too large`(
        _ parameter: String
    ) {
        var talk = Talk()
        _ = talk.say("EHLO client.example\r\n")
        #expect(talk.say("MAIL FROM:<a@example.com> \(parameter)\r\n").hasPrefix("501 5.5.4 "))
        #expect(talk.say("MAIL FROM:<a@example.com> SIZE=99999999999999999999\r\n").hasPrefix("552 5.3.4 "))
    }

    /// Source: RFC 5321 §2.4: commands are ASCII. Unicode's upper case of ſ is S, of ı is I.
    @Test(arguments: ["ſTARTTLS\r\n", "RſET\r\n", "MAıL FROM:<a@example.com>\r\n", "QUıT\r\n"])
    func `a letter that is like one of a command makes no command`(_ line: String) {
        var talk = Talk(offersTLS: true)
        _ = talk.say("EHLO client.example\r\n")
        #expect(talk.say(line).hasPrefix("500 "))
        #expect(!talk.wantsTLS && !talk.dialogue.isOver)
        #expect(talk.say("MAIL FROM:<a@example.com> ſIZE=1\r\n").hasPrefix("555 "))
        #expect(talk.say("mail from:<a@example.com> size=1\r\n").hasPrefix("250 "))
    }

    @Test func `HELP names the commands that there are`() {
        var plain = Talk()
        #expect(
            plain.say("HELP\r\n") == "214 2.0.0 EHLO HELO AUTH MAIL RCPT DATA RSET NOOP VRFY HELP QUIT\r\n")
        var offering = Talk(offersTLS: true)
        #expect(offering.say("HELP\r\n").contains(" STARTTLS "))
        _ = offering.say("EHLO client.example\r\n")
        _ = offering.say("STARTTLS\r\n")
        offering.beginTLS()
        #expect(!offering.say("HELP\r\n").contains("STARTTLS"))
    }
}
