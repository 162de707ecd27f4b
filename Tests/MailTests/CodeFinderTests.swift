import Essentials
import Testing

@testable import Mail

@Suite struct CodeFinderTests {
    /// A mail of `Tests/Vectors/mail`: language, the right code or `-`, subject, text, which is HTML where it begins with `<`.
    private struct Sample {
        let language: String
        let code: String?
        let subject: String
        let text: String

        init?(_ line: Substring) {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 4 else { return nil }
            (language, subject) = (columns[0], columns[2])
            code = columns[1] == "-" ? nil : columns[1]
            text = columns[3].replacing("\\n", with: "\n")
        }

        var found: String? {
            let isHTML = text.hasPrefix("<")
            return MailReading(
                subject: subject, text: isHTML ? nil : text, html: isHTML ? text : nil, isWhole: true
            ).code
        }
    }

    private struct Count {
        var (right, wrong, missed, none) = (0, 0, 0, 0)
        var precision: Double { right + wrong == 0 ? 1 : Double(right) / Double(right + wrong) }
        var recall: Double { right + missed == 0 ? 1 : Double(right) / Double(right + missed) }

        mutating func add(_ sample: Sample) {
            let found = sample.found
            if found == sample.code { if found == nil { none += 1 } else { right += 1 } }
            if found != sample.code {
                if found != nil { wrong += 1 }
                if sample.code != nil { missed += 1 }
            }
        }

        mutating func add(_ other: Count) {
            (right, wrong, missed, none) = (
                right + other.right, wrong + other.wrong, missed + other.missed, none + other.none
            )
        }
    }

    private static let groups = [
        "Germanic": ["de", "en", "nl"], "Nordic": ["sv", "da", "no", "fi"],
        "Romance": ["es", "fr", "it", "pt"],
        "Slavic, Greek, Hungarian, Turkish": ["pl", "cs", "ru", "uk", "el", "hu", "tr"],
        "right to left": ["ar", "fa", "he"],
        "without blanks, Korean": ["zh", "ja", "ko", "th"],
        "Hindi, Vietnamese, Indonesian": ["hi", "vi", "id"],
    ]

    private func samples() throws -> [Sample] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/mail")
        return try (1...3).flatMap { number in
            try String(contentsOf: folder.appending(path: "codes-\(number).tsv"), encoding: .utf8).split(
                separator: "\n"
            ).compactMap { Sample($0) }
        }
    }

    @Test
    func `of three hundred mails in thirty languages, half of them without a code, it tells which have one`()
        throws
    {
        let samples = try samples()
        try #require(samples.count >= 300 && samples.count { $0.code == nil } * 9 > samples.count * 4)
        var all = Count()
        for (name, languages) in Self.groups.sorted(by: { $0.key < $1.key }) {
            var count = Count()
            for sample in samples where languages.contains(sample.language) { count.add(sample) }
            print(
                "codes in \(name): \(count.right + count.missed) of \(count.right + count.missed + count.none), precision \(count.precision), recall \(count.recall)"
            )
            all.add(count)
        }
        print("codes in all: precision \(all.precision), recall \(all.recall)")
        #expect(all.right + all.missed + all.none + all.wrong >= samples.count)
        #expect(all.precision >= 0.98 && all.recall >= 0.98)
    }

    @Test(arguments: [
        ("394857 is your passcode", "Enter the following passcode:\n\n394857\n", "394857"),
        ("Welcome", "Your verification code is 482 913. It ends in 10 minutes, on 2026-11-23.", "482913"),
        (
            "Ihr Bestätigungscode", "Guten Tag 2026,\n\nIhr Code lautet: 004711\nBestellung 123456789\n",
            "004711"
        ),
        ("Sign in", "Use the code below:\n\nG7K2-99QX\n\nThanks, team 2026", "G7K2-99QX"),
        ("Login", "PIN: 4711", "4711"),
        ("G-123456 is your Google verification code", "", "123456"),
        ("Code", "The code for 1000 EUR is (739201).", "739201"),
        ("Your order 123456", "It has been sent on 2026-11-23, parcel 00340434161094.", nil),
        ("Hello", "Call +49 800 1234567 or 0800 123456.", nil),
        ("Your code of conduct", "Please read it.", nil),
        ("Verify", "Open https://example.com/verify/123456 now.", nil),
    ])
    func `a code is found where a word names it, and a number without such a word is none`(
        _ subject: String, _ text: String, _ code: String?
    ) {
        #expect(MailReading(subject: subject, text: text, html: nil, isWhole: true).code == code)
    }

    @Test func `of the links of a text, the one that does something is found, or one that is alone`() {
        func link(_ text: String, html: String? = nil) -> String? {
            MailReading(subject: "", text: text, html: html, isWhole: true).link
        }
        #expect(
            link(
                "Home: https://example.com/\nConfirm here (https://example.com/confirm?t=1).\nhttps://example.com/unsubscribe?token=2"
            ) == "https://example.com/confirm?t=1")
        #expect(link("Go: myapp://login?token=5") == "myapp://login?token=5")
        let page =
            "<a href=\"https://example.com/a\">Here</a> <a href=\"https://example.com/privacy\">Privacy</a>"
        #expect(link("", html: page) == "https://example.com/a")
        #expect(link("https://a.example/ https://b.example/") == nil)
    }

    @Test func `whatever is long is read to its end, and numbers without end are no codes`() {
        let long = String(repeating: "Lorem ipsum dolor sit amet. ", count: 20_000)
        #expect(
            MailReading(subject: "", text: long + "\nYour code is 482913.", html: nil, isWhole: true).code
                == "482913")
        for unit in ["1 ", "1-", "12 ", "code ", "a@ ", "482913\n", "<a href=\"", "https://a/ "] {
            let text = String(repeating: unit, count: 30_000)
            #expect(MailReading(subject: "", text: text, html: text, isWhole: true).codes.count <= 100)
        }
    }

    @Test func `text and HTML are both read, and each code says where it stands`() {
        let reading = MailReading(
            subject: "Your sign-in", text: "View this in HTML. Your code is 482913.",
            html: "<p>Your code</p><h1>482913</h1>", isWhole: true)
        #expect(reading.code == "482913")
        #expect(reading.codes.map(\.parts) == [[.text, .html]])
        #expect(
            MailReading(
                subject: "Your sign-in", text: " \n", html: "<p>Your code</p><h1>482913</h1>", isWhole: false
            ).code == "482913")
    }

    @Test func `two codes: the first choice, and all of them with the words around them`() {
        let reading = MailReading(
            subject: "Codes", text: "Your code is 482913. Your backup codes:\n55012933\n81927711\n",
            html: nil, isWhole: true)
        #expect(
            reading.code == reading.codes.first?.code
                && Set(reading.codes.map(\.code)) == ["482913", "55012933", "81927711"])
        #expect(
            reading.codes.first { $0.code == "482913" }?.context.hasPrefix("Your code is 482913.") == true)
    }

    @Test func `each decision says why`() {
        let reading = MailReading(
            subject: "", text: "Your account 123456 will receive OTP 654321, order 771204", html: nil,
            isWhole: true)
        #expect(
            reading.decisions.map {
                "\($0.code) \($0.isCode) \($0.reasons.map(\.sentence).joined(separator: ";"))"
            } == [
                "123456 false “account” names it as another number",
                "654321 true “OTP” stands right before it",
                "771204 false “order” names it as another number",
            ])
    }
}

@Suite struct LinkFinderTests {
    private func link(_ text: String, html: String? = nil) -> String? {
        MailReading(subject: "", text: text, html: html, isWhole: true).link
    }

    @Test func `the link that does something is found`() {
        let text =
            "Home: https://example.com/\nConfirm here (https://example.com/confirm?t=1).\nhttps://example.com/unsubscribe?token=2"
        #expect(link(text) == "https://example.com/confirm?t=1")
        #expect(link("Go: myapp://login?token=5") == "myapp://login?token=5")
        #expect(
            link("Open com.example.app:/oauthredirect?code=abc now")
                == "com.example.app:/oauthredirect?code=abc")
        #expect(
            link("", html: "<a href='https://example.com/a'>A</a><a href='https://example.com/privacy'>P</a>")
                == "https://example.com/a")
        #expect(link("https://a.example/ https://b.example/") == nil)
        #expect(link("", html: "<a href='mailto:help@example.com?subject=confirm'>Confirm</a>") == nil)
    }

    /// What a button says, in one language of each script.
    @Test(arguments: [
        "Bestätigen", "Confirmar mi correo", "Se connecter", "Reimposta la password", "Zaloguj się",
        "Подтвердить адрес", "Επιβεβαίωση", "تأكيد البريد",
        "אישור והתחברות", "पुष्टि करें", "ยืนยันอีเมล", "Xác nhận email", "验证邮箱", "ログイン", "이메일 인증",
    ])
    func `where all links lead to a tracker, what stands on one decides`(_ words: String) {
        let page = ["Logo", words, "Facebook"].enumerated().map {
            "<p><a href=\"https://click.example.test/ls?upn=\($0)\">\($1)</a></p>"
        }
        #expect(link("", html: page.joined()) == "https://click.example.test/ls?upn=1")
    }

    @Test func `marks, brackets, line ends and entities around a link`() {
        #expect(link("Log in (https://example.com/a_(b)/login).") == "https://example.com/a_(b)/login")
        #expect(
            link("Log in: <https://example.com/login?token=\n abc>") == "https://example.com/login?token=abc")
        #expect(link("请点击https://example.com/verify?t=1。谢谢") == "https://example.com/verify?t=1")
        #expect(
            link(
                "",
                html: "<a href=\"https://example.com/login?a=1&amp;b=2&#x3D;\"><img alt='Log in' src=x></a>")
                == "https://example.com/login?a=1&b=2=")
    }

    @Test func `all links are told, with what stands on them and what they are for`() {
        let html =
            "<a href='https://e.test/r/1'>Reset password</a> <a href='https://e.test/v/2'>Verify address</a> <a href='https://e.test/u'>Unsubscribe</a>"
        let reading = MailReading(subject: "", text: nil, html: html, isWhole: true)
        #expect(reading.links.map(\.text) == ["Reset password", "Verify address", "Unsubscribe"])
        #expect(reading.links.map(\.goal) == ["reset", "verify", "footer"])
    }
}
