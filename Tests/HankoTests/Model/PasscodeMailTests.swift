import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct PasscodeMailTests {
    private func mail(_ headers: Headers = [:], config: String = "") throws -> Message {
        let bench = try TestBench.classic(config: config)
        _ = try bench.startPasscode(for: Ada.id, headers: headers)
        return try #require(try bench.messages.first?.message)
    }

    @Test func `the mail is that of the document, with the code as a field`() throws {
        let mail = try mail()
        let code = try #require(mail.code)

        #expect(mail.channel == .mail)
        #expect(mail.kind == "passcode")
        #expect(mail.source == "hanko")
        #expect(mail.from == Message.Address("noreply@hanko.io", name: "Hanko"))
        #expect(mail.to.address == Ada.address)
        #expect(mail.subject == "\(code) is your passcode for Hanko Authentication Service")
        #expect(mail.expiresAt == ManualTime.start.addingTimeInterval(300))
        let lines = mail.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6)
        #expect(lines[1].isEmpty && lines[2] == code && lines[3].isEmpty)
        #expect(lines[4].contains("5 minutes"))
        #expect(mail.html?.contains(">\(code)<") == true)
    }

    @Test func `a service name cannot become markup`() throws {
        let mail = try mail(config: "\"service\": {\"name\": \"<b>R&D \\\"Café\\\"</b>\"}")

        #expect(mail.subject.hasSuffix("is your passcode for <b>R&D \"Café\"</b>"))
        #expect(mail.html?.contains("&lt;b&gt;R&amp;D &quot;Café&quot;&lt;/b&gt;") == true)
        #expect(mail.html?.contains("<b>") == false)
    }

    @Test(arguments: [
        (nil, "en"), ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en;q=0.5, de", "de"),
        ("ja, fr;q=0.3", "fr"), ("undefined", "en"), ("it-IT", "it"), ("nl", "nl"), ("pt", "pt-BR"),
        ("pt-BR", "pt-BR"), ("*, de;q=0.1", "en"), ("de;q=0, fr;q=0.1", "fr"), ("DE", "de"), (";;,q=", "en"),
        ("de;q=x, en;q=0.1", "en"), ("en, de", "en"),
    ])
    func `the best liked language that there is`(header: String?, language: String) {
        #expect(MailLanguage(acceptLanguage: header).rawValue == language)
    }

    @Test func `mails speak the language of the client`() throws {
        let mail = try mail(["Accept-Language": "de-DE,de;q=0.9"])
        let code = try #require(mail.code)

        #expect(mail.subject == "\(code) ist dein Passcode für Hanko Authentication Service")
        #expect(mail.text.contains("5 Minuten"))
        #expect(mail.html?.contains("<html lang=\"de\">") == true)
    }

    @Test(arguments: MailLanguage.allCases)
    func `every language says code, service and minutes`(language: MailLanguage) {
        let texts = MailTexts(language, code: "123456", serviceName: "Harbour", minutes: 5)

        #expect(texts.subject.hasPrefix("123456 ") && texts.subject.hasSuffix(" Harbour"))
        #expect(texts.introduction.contains("Harbour"))
        #expect(texts.validity.contains("5 min") || texts.validity.contains("5 Min"))
        #expect(texts.validity != MailTexts(language, code: "", serviceName: "", minutes: 1).validity)
    }
}
