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

        #expect(mail.subject == "\(code) ist Ihr Passcode für Hanko Authentication Service")
        #expect(mail.text.contains("5 Minuten"))
        #expect(mail.html?.contains("<html lang=\"de\">") == true)
    }

    @Test(arguments: MailLanguage.allCases)
    func `every language says code, service and minutes`(language: MailLanguage) throws {
        func mail(minutes: Int) throws -> Message {
            try PasscodeMail(
                template: "passcode", code: "123456", serviceName: "Harbour", ttl: minutes * 60,
                expiresAt: ManualTime.start, address: Ada.address, language: language
            ).outgoing().message
        }
        let mail = try mail(minutes: 5)
        let paragraphs = mail.text.split(separator: "\n\n")

        #expect(mail.subject.hasPrefix("123456 ") && mail.subject.hasSuffix(" Harbour"))
        #expect(paragraphs[0].contains("Harbour"))
        #expect(paragraphs[2].contains("5 min") || paragraphs[2].contains("5 Min"))
        #expect(try MailTexts.texts(language).validity(minutes: 1).contains("1 "))
        #expect(try MailTexts.texts(language).validity.one != MailTexts.texts(language).validity.other)
    }

    // MARK: The texts

    private static let templates =
        ["passcode"] + FlowPasscode.Purpose.allCases.map(\.rawValue)
        + SecurityNotification.allCases.map(\.rawValue)

    @Test(arguments: MailLanguage.allCases)
    func `every language has every text, with the same names to fill in`(language: MailLanguage) throws {
        let (texts, english) = (try MailTexts.texts(language), try MailTexts.texts(.english))

        #expect(Set(texts.mails.keys) == Set(Self.templates))
        for (name, mail) in texts.mails {
            let model = try #require(english.mails[name])
            #expect(names(in: mail.subject) == names(in: model.subject), "\(name)")
            #expect(names(in: mail.text) == names(in: model.text), "\(name)")
            #expect(!mail.subject.isEmpty && !mail.text.isEmpty, "\(name)")
        }
        #expect(names(in: texts.validity.one) == ["minutes"])
        #expect(names(in: texts.validity.other) == ["minutes"])
        #expect(names(in: texts.warning) == ["service"])
    }

    @Test func `a text asks for nothing that nobody fills in`() throws {
        let texts = try MailTexts.texts(.english)

        for name in ["passcode"] + FlowPasscode.Purpose.allCases.map(\.rawValue) {
            let mail = try #require(texts.mails[name])
            #expect(Set(names(in: mail.subject) + names(in: mail.text)).isSubset(of: ["code", "service"]))
        }
        let changes: [SecurityNotification: Set<String>] = [
            .emailCreate: ["new_email_address"], .emailDelete: ["deleted_email_address"],
            .primaryEmailUpdate: ["old_email_address", "new_email_address"],
        ]
        for notification in SecurityNotification.allCases {
            let mail = try #require(texts.mails[notification.rawValue])
            #expect(Set(names(in: mail.subject) + names(in: mail.text)) == changes[notification] ?? [])
        }
    }

    @Test func `what is filled in is not filled again`() {
        #expect("{a} and {b}{".filled(with: ["a": "{b}", "b": "{a}"]) == "{b} and {a}{")
        #expect("{a".filled(with: ["a": "1"]) == "{a")
    }

    /// What stands in braces, sorted.
    private func names(in text: String) -> [String] {
        text.matches(of: /\{([a-z_]+)\}/).map { String($0.1) }.sorted()
    }
}
