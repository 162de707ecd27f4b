import Sockets
import Testing

@testable import Understudy

@Suite struct SMTPClientTests {
    private static let mail = "Subject: Hello\r\n\r\nHello Ada\r\n"

    private func send(
        _ mail: String = mail, from: String = "noreply@example.com", to: String = "ada@example.com",
        through server: MailServer
    ) throws {
        try SMTPClient(host: "127.0.0.1", port: server.port, timeout: 5).send(
            Array(mail.utf8), from: from, to: to)
    }

    // RFC 5321 §4.1.1, appendix D.1.
    @Test func `a mail is handed over in the order of the standard`() throws {
        let server = try MailServer()

        try send(through: server)

        #expect(
            server.heard == [
                "EHLO understudy.localhost", "MAIL FROM:<noreply@example.com> SIZE=29",
                "RCPT TO:<ada@example.com>",
                "DATA", "Subject: Hello", "", "Hello Ada", ".", "QUIT",
            ])
    }

    // RFC 5321 §3.2: a client falls back to HELO.
    @Test func `an old server is greeted the old way`() throws {
        let server = try MailServer(["EHLO": "502 not implemented"])

        try send(through: server)

        #expect(
            server.heard.prefix(3) == [
                "EHLO understudy.localhost", "HELO understudy.localhost", "MAIL FROM:<noreply@example.com>",
            ])
    }

    // RFC 5321 §4.5.2
    @Test func `lines that begin with a point are stuffed, and line ends made right`() {
        let stuffed = SMTPClient.stuffed(Array("a\n.b\r\n..c\rd\r\n.\r\ne".utf8))
        #expect(String(decoding: stuffed, as: UTF8.self) == "a\r\n..b\r\n...c\r\nd\r\n..\r\ne\r\n.\r\n")
    }

    @Test func `an empty mail still ends`() {
        #expect(String(decoding: SMTPClient.stuffed(Array("".utf8)), as: UTF8.self) == ".\r\n")
    }

    @Test(arguments: [
        ("", "554 no service", "connecting", 554), ("EHLO", "421 busy", "EHLO", 421),
        ("MAIL", "451 try later", "MAIL FROM:<noreply@example.com> SIZE=29", 451),
        ("RCPT", "550 no such user", "RCPT TO:<ada@example.com>", 550),
        ("DATA", "451 disk full", "DATA", 451),
        (".", "554 looks like spam", "the mail", 554),
    ])
    func `a refusal at any step is told with the server's words`(
        _ step: String, _ answer: String, _ command: String, _ code: Int
    ) throws {
        let server = try MailServer([step: answer])
        let error = SMTPError.refused(command: command, code: code, text: String(answer.dropFirst(4)))

        #expect(throws: error) { try send(through: server) }
        #expect(error.isPermanent == (code >= 500))
    }

    @Test func `all lines of a refusal are told`() throws {
        let server = try MailServer(["RCPT": "550-no such user\r\n550 ask the postmaster"])

        #expect(
            throws: SMTPError.refused(
                command: "RCPT TO:<ada@example.com>", code: 550, text: "no such user / ask the postmaster")
        ) { try send(through: server) }
    }

    @Test(arguments: ["", "EHLO", "MAIL", "RCPT", "DATA", "."])
    func `a server that hangs up in the middle has not taken the mail`(_ step: String) throws {
        let server = try MailServer([step: ""])
        #expect(throws: (any Error).self) { try send(through: server) }
    }

    @Test func `a server that hangs up at the farewell has taken the mail`() throws {
        try send(through: MailServer(["QUIT": ""]))
    }

    @Test(arguments: ["hello there", "25 OK", "999 what", "250_OK", "250-first\r\n251 second"])
    func `what is no reply is said to be none`(_ answer: String) throws {
        let server = try MailServer(["MAIL": answer])

        let error = try #require(throws: SMTPError.self) { try send(through: server) }
        guard case .replyMalformed = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example.com\r\nRCPT TO:<eve@example.com>",
        "ada@example.com>\r\nDATA",
        "<ada@example.com>", "a b@example.com", "ada@example.com SIZE=1", "ada@exa\u{0}mple.com",
        "ada@\u{2028}example.com",
    ])
    func `an address that could say more than an address never leaves`(_ address: String) {
        let client = SMTPClient(host: "127.0.0.1", port: 1, timeout: 1)

        #expect(throws: SMTPError.addressUnusable(address)) {
            try client.send(Array(Self.mail.utf8), from: "a@example.com", to: address)
        }
        #expect(throws: SMTPError.addressUnusable(address)) {
            try client.send(Array(Self.mail.utf8), from: address, to: "a@example.com")
        }
    }

    // RFC 6531 §3.4
    @Test func `an address beyond ASCII needs a server that takes it`() throws {
        let able = try MailServer(["EHLO": "250-mail.example\r\n250-8BITMIME\r\n250 SMTPUTF8"])
        try send(to: "žofie@example.com", through: able)
        #expect(able.heard.contains("MAIL FROM:<noreply@example.com> SMTPUTF8"))

        let unable = try MailServer()
        #expect(throws: SMTPError.addressNotASCII("žofie@example.com")) {
            try send(to: "žofie@example.com", through: unable)
        }
    }

    // RFC 6152 §2: the client says so when the text has bytes beyond ASCII.
    @Test func `a text beyond ASCII is announced where the server takes it`() throws {
        let server = try MailServer()

        try send("Subject: x\r\n\r\nž\r\n", through: server)

        #expect(server.heard.contains("MAIL FROM:<noreply@example.com> SIZE=18 BODY=8BITMIME"))
    }

    // RFC 1870 §6.1
    @Test func `a mail larger than the server takes is not sent`() throws {
        let server = try MailServer(["EHLO": "250-mail.example\r\n250 SIZE 10"])

        #expect(throws: SMTPError.tooLarge(limit: 10)) { try send(through: server) }
        #expect(server.heard == ["EHLO understudy.localhost"])
    }

    @Test func `nobody there is an error of the connection`() throws {
        let server = try MailServer(["": ""])
        #expect(throws: (any Error).self) { try send(through: server) }
        #expect(server.heard.isEmpty)

        let error = try #require(throws: SocketError.self) { try send(through: server) }
        #expect(error.reason == .refused)
    }
}
