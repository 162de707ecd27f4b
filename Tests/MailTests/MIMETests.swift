import Testing

@testable import Mail

@Suite struct MIMETests {
    private func mail(_ lines: String...) -> MIMEMail {
        MIMEMail(Array(lines.joined(separator: "\r\n").utf8))
    }

    /// Source: RFC 2046 §5.1.1.
    @Test func `the parts of a multipart lie between its boundaries`() {
        let mail = mail(
            "From: Nathaniel Borenstein <nsb@bellcore.com>", "To: Ned Freed <ned@innosoft.com>",
            "Subject: Sample message",
            "MIME-Version: 1.0", "Content-type: multipart/mixed; boundary=\"simple boundary\"", "",
            "This is the preamble.  It is to be ignored,", "", "--simple boundary", "",
            "This is implicitly typed plain US-ASCII text.", "It does NOT end with a linebreak.",
            "--simple boundary",
            "Content-type: text/plain; charset=us-ascii", "", "This is explicitly typed plain US-ASCII text.",
            "It DOES end with a linebreak.", "", "--simple boundary--", "",
            "This is the epilogue.  It is also to be ignored.", "")
        #expect(
            mail.text == """
                This is implicitly typed plain US-ASCII text.
                It does NOT end with a linebreak.
                This is explicitly typed plain US-ASCII text.
                It DOES end with a linebreak.

                """)
        #expect(mail.from == [Mailbox("nsb@bellcore.com", name: "Nathaniel Borenstein")])
        #expect(mail.recipients == [Mailbox("ned@innosoft.com", name: "Ned Freed")])
        #expect(mail.attachments.isEmpty && mail.remarks.isEmpty)
    }

    @Test func `text, HTML and attachments are found at any depth`() throws {
        let source = [
            "Content-Type: multipart/mixed; boundary=a", "", "--a",
            "Content-Type: multipart/related; boundary=ab", "", "--ab",
            "Content-Type: multipart/alternative; boundary=abc", "", "--abc", "Content-Type: text/plain", "",
            "plain", "--abc",
            "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
            "<p>h=C3=A4=", "h</p>",
            "--abc--", "--ab", "Content-Type: image/png; name=logo.png", "Content-Transfer-Encoding: base64",
            "", "iVBORw0KGgo=", "--ab--",
            "--a", "Content-Type: application/pdf",
            "Content-Disposition: attachment; filename=\"../..\\\\x/r\u{0}e.pdf\"", "", "%PDF", "--a--",
        ].joined(separator: "\r\n")
        let mail = MIMEMail(Array(source.utf8))
        #expect(mail.text == "plain" && mail.html == "<p>häh</p>")
        #expect(mail.attachments.map(\.name) == ["logo.png", "r e.pdf"])
        #expect(mail.attachments.map(\.type) == ["image/png", "application/pdf"])
        #expect(
            mail.attachments.map { $0.content(in: Array(source.utf8)) } == [
                [137, 80, 78, 71, 13, 10, 26, 10], Array("%PDF".utf8),
            ])
    }

    /// Source: the examples of RFC 2047 §8.
    @Test(arguments: [
        ("=?ISO-8859-1?Q?a?=", "a"), ("=?ISO-8859-1?Q?a?= b", "a b"),
        ("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab"),
        ("=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=", "ab"), ("=?ISO-8859-1?Q?a_b?=", "a b"),
        ("=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=", "a =?ISO-8859-2?Q?_b?="),
        ("=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=", "If you can read this yo"),
        ("=?US-ASCII*EN?Q?Keith_Moore?=", "Keith Moore"), ("=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"),
        ("=?utf-8?X?a?=", "=?utf-8?X?a?="),
        ("=?", "=?"), ("a =?utf-8?q?", "a =?utf-8?q?"),
    ])
    func `encoded words are read`(_ encoded: String, _ text: String) {
        #expect(EncodedText.decoded(encoded) == text)
    }

    /// Source: the examples of RFC 2231 §3, §4, §4.1.
    @Test func `long parameters and those in other charsets are read`() {
        let long = MIMEParameters(
            "message/external-body; access-type=URL; URL*0=\"ftp://\"; URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\""
        )
        #expect(long["url"] == "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar")
        let other = MIMEParameters(
            "application/x-stuff; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A")
        #expect(other["title"] == "This is ***fun***")
        let both = MIMEParameters(
            "application/x-stuff; title*0*=us-ascii'en'This%20is%20even%20more%20; title*1*=%2A%2A%2Afun%2A%2A%2A%20; title*2=\"isn't it!\""
        )
        #expect(both["title"] == "This is even more ***fun*** isn't it!")
        #expect(MIMEParameters("attachment; filename=\"=?utf-8?Q?=C3=84.pdf?=\"")["filename"] == "Ä.pdf")
    }

    @Test(arguments: [
        ("utf-8", [0xC3, 0xA4, 0xE2, 0x82, 0xAC] as [UInt8], "ä€"), ("iso-8859-1", [0xE4, 0xA4], "ä¤"),
        ("ISO-8859-15", [0xE4, 0xA4, 0xBD], "ä€œ"), ("windows-1252", [0x80, 0x93, 0xE4, 0x94], "€“ä”"),
        ("utf-16", [0xFE, 0xFF, 0x20, 0xAC], "€"), ("utf-16", [0xFF, 0xFE, 0xAC, 0x20], "€"),
        ("utf-16le", [0x3D, 0xD8, 0x42, 0xDE], "🙂"),
        ("us-ascii", [0x41], "A"),
    ])
    func `a text is read in its charset`(_ charset: String, _ bytes: [UInt8], _ text: String) {
        let mail = MIMEMail(Array("Content-Type: text/plain; charset=\"\(charset)\"\r\n\r\n".utf8) + bytes)
        #expect(mail.text == text && mail.remarks.isEmpty)
    }

    @Test func `a charset that is not known and bytes that do not fit are remarked`() {
        let unknown = mail("Content-Type: text/plain; charset=koi8-r", "", "x")
        #expect(
            unknown.text == "x"
                && unknown.remarks == ["The charset “koi8-r” is not known; the text is read as UTF-8."])
        let damaged = MIMEMail(Array("\r\na".utf8) + [0xFF])
        #expect(damaged.text == "a\u{FFFD}" && damaged.remarks.count == 1)
    }

    /// Source: RFC 2045 §6.7.
    @Test(arguments: [
        (
            "Now's the time =\r\nfor all folk to come=\r\n to the aid of their country.",
            "Now's the time for all folk to come to the aid of their country."
        ),
        ("a  \t\r\nb", "a\r\nb"), ("=3d=3D", "=="), ("a=\t \r\nb", "ab"), ("a=zz=", "a=zz="), ("a =", "a ="),
    ])
    func `quoted-printable is read`(_ encoded: String, _ text: String) {
        #expect(
            String(decoding: TransferEncoding.quotedPrintable(Array(encoded.utf8)[...]), as: UTF8.self)
                == text)
    }

    @Test(arguments: [
        (
            "Ada <ada@example.com>, \"Grace, Rear Admiral\" <grace@example.com>",
            ["Ada|ada@example.com", "Grace, Rear Admiral|grace@example.com"]
        ),
        ("ada@example.com (Ada)", ["|ada@example.com"]),
        ("Team: a@example.com, B <b@example.com>;", ["|a@example.com", "B|b@example.com"]),
        ("=?utf-8?q?Zo=C3=AB?= <z@example.com>", ["Zoë|z@example.com"]),
        ("<a@example.com", ["|a@example.com"]), ("nobody", []),
    ])
    func `lists of people are read`(_ list: String, _ people: [String]) {
        #expect(Mailbox.list(list).map { "\($0.name ?? "")|\($0.address)" } == people)
    }

    @Test func `depth, parts, fields and lengths are limited, and remarked`() {
        var nested = "innermost\r\n"
        for level in 0..<30 {
            nested =
                "Content-Type: multipart/mixed; boundary=b\(level)\r\n\r\n--b\(level)\r\n\(nested)\r\n--b\(level)--\r\n"
        }
        let deep = MIMEMail(Array(nested.utf8))
        #expect(
            deep.text == nil && deep.attachments.count == 1
                && deep.remarks.contains { $0.contains("16 deep") })

        let many = MIMEMail(
            Array(
                ("Content-Type: multipart/mixed; boundary=b\r\n\r\n"
                    + String(repeating: "--b\r\n\r\nx\r\n", count: 1000)).utf8))
        #expect(many.remarks.contains { $0.contains("more than 300 parts") })

        let wide = MIMEMail(Array((String(repeating: "X: y\r\n", count: 2000) + "\r\nbody").utf8))
        #expect(wide.text == "body" && wide.remarks.contains { $0.contains("1000 fields") })

        let long = MIMEMail(Array(("\r\n" + String(repeating: "x", count: 300_000)).utf8))
        #expect(long.text?.utf8.count == 262_144 && long.remarks.count == 1)
    }

    @Test func `HTML alone is read as text, with its links`() {
        let html = HTMLText(
            "<head><title>T</title><style>p{}</style></head><p>Your&nbsp;code:<br><b>48&#50;913</b></p><!-- <a href='x'> --><a class=\"b\" href='https://a.example/?a=1&amp;b=2'>Go</a><script>x<y</script>"
        )
        #expect(html.plain == "Your code:\n482913\nGo")
        #expect(html.links == ["https://a.example/?a=1&b=2"])
    }
}

@Suite struct CodeFinderTests {
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
    ])
    func `a code is found where a word names it`(_ subject: String, _ text: String, _ code: String) {
        #expect(CodeFinder.code(subject: subject, text: text) == code)
    }

    @Test(arguments: [
        ("Your order 123456", "It has been sent on 2026-11-23, parcel 00340434161094."),
        ("Hello", "Call +49 800 1234567 or 0800 123456."),
        ("Your code of conduct", "Please read it."),
        ("Verify", "Open https://example.com/verify/123456 now."),
    ])
    func `a number without such a word is none`(_ subject: String, _ text: String) {
        #expect(CodeFinder.code(subject: subject, text: text) == nil)
    }

    @Test func `the link that does something is found`() {
        let text =
            "Home: https://example.com/\nConfirm here (https://example.com/confirm?t=1).\nhttps://example.com/unsubscribe?token=2"
        #expect(CodeFinder.link(text: text, links: []) == "https://example.com/confirm?t=1")
        #expect(CodeFinder.link(text: "Go: myapp://login?token=5", links: []) == "myapp://login?token=5")
        #expect(
            CodeFinder.link(text: "", links: ["https://example.com/a", "https://example.com/privacy"])
                == "https://example.com/a")
        #expect(CodeFinder.link(text: "https://a.example/ https://b.example/", links: []) == nil)
    }
}
