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
        ("=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=", "a b"), ("=?x-none?Q?a?= b", "=?x-none?Q?a?= b"),
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
        ("us-ascii", [0x41], "A"), ("koi8-r", [0xCB, 0xCF, 0xC4], "код"),
        ("windows-1251", [0xEA, 0xEE, 0xE4], "код"),
        ("iso-8859-9", [0x44, 0x6F, 0xF0, 0x72, 0x75], "Doğru"),
        ("windows-1250", [0x6B, 0xF3, 0x64, 0x9E], "kódž"),
        ("gb2312", [0xD1, 0xE9, 0xD6, 0xA4, 0xC2, 0xEB], "验证码"),
        ("big5", [0xC5, 0xE7, 0xC3, 0xD2, 0xBD, 0x58], "驗證碼"),
        ("Shift_JIS", [0x83, 0x52, 0x81, 0x5B, 0x83, 0x68, 0xBA], "コードｺ"),
        ("euc-jp", [0xA5, 0xB3, 0xA1, 0xBC, 0x8E, 0xBA], "コーｺ"),
        ("euc-kr", [0xC0, 0xCE, 0xC1, 0xF5], "인증"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x25, 0x33, 0x1B, 0x28, 0x42, 0x31], "コ1"),
    ])
    func `a text is read in its charset`(_ charset: String, _ bytes: [UInt8], _ text: String) {
        let mail = MIMEMail(Array("Content-Type: text/plain; charset=\"\(charset)\"\r\n\r\n".utf8) + bytes)
        #expect(mail.text == text && mail.remarks.isEmpty)
    }

    @Test func `a charset that is not known and bytes that do not fit are remarked`() {
        let unknown = mail("Content-Type: text/plain; charset=x-none", "", "x")
        #expect(
            unknown.text == "x"
                && unknown.remarks == [
                    "The charset “x-none” is not known; the text is read as UTF-8, and what is none is not decoded."
                ])
        let undecoded = MIMEMail(
            Array("Content-Type: text/plain; charset=utf-7\r\n\r\ncode 482913 ".utf8) + [0xE9, 0xE8, 0x2E])
        #expect(undecoded.text == "code 482913 (not decoded: utf-7).")
        #expect(undecoded.remarks.first?.hasPrefix("The charset “utf-7” is not read;") == true)
        let damaged = MIMEMail(Array("\r\na".utf8) + [0xFF])
        #expect(damaged.text == "a\u{FFFD}" && damaged.remarks.count == 1)
    }

    /// Source: RFC 2045 §6.7.
    @Test(arguments: [
        (
            "Now's the time =\r\nfor all folk to come=\r\n to the aid of their country.",
            "Now's the time for all folk to come to the aid of their country."
        ),
        ("a  \t\r\nb", "a\r\nb"), ("=3d=3D", "=="), ("a=\t \r\nb", "ab"), ("a=zz=", "a=zz"), ("a =", "a "),
    ])
    func `quoted-printable is read`(_ encoded: String, _ text: String) {
        let decoded = TransferEncoding.quotedPrintable.decoded(Array(encoded.utf8)[...])
        #expect(String(decoding: decoded, as: UTF8.self) == text)
    }

    /// As CPython's `email` package has them, which `script/fuzz mime` holds beside this one. Source: RFC 2046 §5.1.1, RFC 2045 §5.2.
    @Test
    func
        `boundaries are whole lines, nothing lies between two, and a multipart without any is an attachment`()
    {
        let head = "Content-Type: multipart/mixed; boundary=\"b \""
        #expect(
            mail(head, "", "--b", "", "1", "--b--x", "--bx", "2", "--b-- ", "3").text == "1\n--b--x\n--bx\n2")
        #expect(mail(head, "", "--b", "--b ", "", "1", "--b", "--b", "", "2", "--b--").text == "1\n2")
        let none = mail(head, "", "1", "--b--", "")
        #expect(none.text == nil && none.attachments.count == 1)
        #expect(none.remarks == ["A multipart/mixed has no parts; it is an attachment."])
        #expect(mail(head, "", "--b", "", "1", "").text == "1")
        let soft = mail(
            head, "", "--b", "Content-Transfer-Encoding: quoted-printable", "", "1=", "--b--")
        #expect(soft.text == "1")
        #expect(MIMEParameters("charset=koi8-r")["charset"] == "koi8-r")
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
        #expect(
            html.links == [HTMLText.Link(address: "https://a.example/?a=1&b=2", text: "Go", isPicture: false)]
        )
    }

    /// Source: RFC 2045 §5.1, §5.2; RFC 2046 §5.1.5; what programs write against them, as other readers take it.
    @Test func `comments, wrong types and encodings, digests and a missing empty line`() {
        let comments = mail(
            "Content-Type: text/plain (a (b) \\)c); charset=(x)utf-8 (y)",
            "Content-Transfer-Encoding: (z) base64", "", "SGk=")
        #expect(comments.text == "Hi" && comments.remarks.isEmpty)
        #expect(MIMEParameters("a/b; name=\"x (1).pdf\"")["name"] == "x (1).pdf")
        #expect(mail("Content-Transfer-Encoding: quoted-printable;", "", "a=3D1").text == "a=1")
        #expect(mail("Content-Transfer-Encoding: Quoted Printable", "", "a=3D1").text == "a=1")
        #expect(mail("Content-Type: text", "", "Hi").text == "Hi")
        let digest = mail(
            "Content-Type: multipart/digest; boundary=b", "", "--b", "", "Subject: one", "", "1", "--b--")
        #expect(digest.text == nil && digest.attachments.map(\.type) == ["message/rfc822"])
        let endless = mail("Subject: hi", "Your code: 482913, no empty line here", "x: y")
        #expect(endless.subject == "hi" && endless.text == "Your code: 482913, no empty line here\nx: y")
    }

    /// Source: RFC 3676 §4.
    @Test func `lines that were broken for the way are put together again`() {
        let flowed = mail(
            "Content-Type: text/plain; format=flowed; delsp=yes", "", "https://example.com/login?token= ",
            "abc", "-- ", " From me", "> a ", "> b", "c")
        #expect(flowed.text == "https://example.com/login?token=abc\n-- \nFrom me\n> ab\nc")
        #expect(mail("Content-Type: text/plain; format=flowed", "", "a ", "b", "c").text == "a b\nc")
    }
}
