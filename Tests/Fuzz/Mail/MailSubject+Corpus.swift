extension MailSubject {
    var corpus: [[UInt8]] { Self.texts.map { Array($0.replacing("\n", with: "\r\n").utf8) } + Self.pieces }

    var dictionary: [[UInt8]] {
        Self.pieces
            + [
                "\r\n", "\n", "\r", "\r\n.\r\n", "\n.\n", "\r.\r", "\r\n.\n", "\n.\r\n", ".", "..",
                "EHLO a\r\n", "HELO a\r\n", "MAIL FROM:<a@b.c>\r\n",
                "RCPT TO:<d@e.f>\r\n", "DATA\r\n", "RSET\r\n", "NOOP\r\n", "QUIT\r\n", "STARTTLS\r\n",
                "AUTH PLAIN AGEAYg==\r\n", "AUTH LOGIN\r\n",
                "YQ==\r\n", "*\r\n", " SIZE=10", " SMTPUTF8", " BODY=8BITMIME",
                "Content-Type: multipart/mixed; boundary=b\r\n", "--b\r\n", "--b--\r\n",
                "Content-Transfer-Encoding: base64\r\n", "Content-Transfer-Encoding: quoted-printable\r\n",
                "charset=utf-16", "filename*0*=utf-8''%C3",
                "=?utf-8?q?=C3=A4?=", "=?utf-8?b?4oI=?=", "=?", "?=", "=", "=\r\n", "\"", "<", ">", "(", "\\",
                "<a href=\"", "<!--", "<script>", "&#x41;",
                "code 123456 ", "https://a.b/c", "\t", " ", "\r\n ", ": ", ";",
            ].map { Array($0.utf8) }
    }

    private static let pieces: [[UInt8]] = [
        [0], [0xFF], [0xC3, 0x28], [0xE2, 0x80, 0xAE], [22, 3, 1], [UInt8](repeating: 0x78, count: 700),
        [0xFE, 0xFF, 0x20, 0xAC],
    ]

    private static let envelope = "EHLO a\nMAIL FROM:<a@b.c>\nRCPT TO:<d@e.f>\nDATA\n"

    private static let texts = [
        envelope + "Subject: a\n\nb\n.\nMAIL FROM:<>\nRCPT TO:<g@h.i>\nDATA\n..c\n.\nQUIT\n",
        envelope + ".\n", envelope + "a\n",
        "EHLO a\nMAIL FROM:<a@b.c>\nRCPT TO:<d@e.f>\n", "EHLO a\n",
        "MAIL FROM:<a@b.c> SIZE=20 BODY=8BITMIME SMTPUTF8\nRCPT TO:<ä+x@e.f>\n",
        "EHLO a\nMAIL FROM:<>\nRCPT TO:<d@e.f>\nRCPT TO:<\"x y\"@e.f>\nDATA\n",
        "Subject: Code\n\nYour code is 482913.\n..dot\n.\n",
        "QUIT\n", "AUTH LOGIN\nYQ==\nYg==\n", "HELO a\nSTARTTLS\n", "GET / HTTP/1.1\nHost: a\n\n",
        """
        From: =?utf-8?q?Zo=C3=AB?= <z@example.com>
        To: "A, B" <a@example.com>, Team: c@example.com;
        Subject: =?iso-8859-15?b?pA==?= =?iso-8859-15?b?pA==?=
        Content-Type: multipart/mixed; boundary="b"

        --b
        Content-Type: multipart/alternative; boundary=c

        --c
        Content-Type: text/plain; charset=windows-1252
        Content-Transfer-Encoding: quoted-printable

        Your code: =80 123 456=

        --c
        Content-Type: text/html; charset=utf-8

        <p>Your code <a href="https://example.com/verify?a=1&amp;b=2">here</a></p><style>p{}</style>
        --c--
        --b
        Content-Type: application/pdf; name*0*=utf-8''%C3%84; name*1=b.pdf
        Content-Transfer-Encoding: base64

        JVBERg==
        --b--
        .

        """,
    ]
}
