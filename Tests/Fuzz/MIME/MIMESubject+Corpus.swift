extension MIMESubject {
    var corpus: [[UInt8]] { Self.mails.map { Array($0.utf8) } + Self.bytes }

    var dictionary: [[UInt8]] {
        Self.words.map { Array($0.utf8) } + [[0], [0xFF], [0xC3, 0xA4], [0xE4], [0xA4, 0xA4]]
    }

    private static let words = [
        "\n", "\n\n", "\n ", "\n\t", ": ", ":", ";", " ", "\t", "\"", "\\", "(", ")", "(x)", "<", ">", ",",
        "@", "=", "=\n",
        "--b\n", "--b--\n", "--bc\n", "--bc--\n", "\n--b\n\n", "--", "b", "From a@example.com\n", "Subject: ",
        "From: ", "To: ", "Cc: ",
        "Content-Type: ", "text/plain", "text/html", "text", "multipart/mixed; boundary=b\n\n--b\n",
        "Content-Type: multipart/alternative; boundary=\"bc\"\n\n--bc\n",
        "multipart/digest; boundary=b", "message/rfc822", "application/pdf", "image/png",
        "Content-Transfer-Encoding: base64\n\nSGk=\n", "Content-Transfer-Encoding: quoted-printable\n",
        "base64", "quoted-printable", "8bit",
        "7bit", "binary", "x-none",
        "charset=utf-8", "; charset=iso-8859-1", "; charset=\"koi8-r\"", "; charset=windows-1252",
        "; charset=gb2312", "; charset=utf-16",
        "; charset=us-ascii",
        "Content-Disposition: attachment; filename=a.pdf\n", "Content-Disposition: inline\n",
        "; name=\"a b.txt\"",
        "; filename*=utf-8''%C3%A4.pdf", "; filename*0=\"a\"; filename*1=b",
        "; filename*0*=utf-8''%C3; filename*1*=%A4.x",
        "=?utf-8?q?=C3=A4_b?=", "=?iso-8859-1?B?5A==?=", "=?utf-8?b?w6Q=?= =?utf-8?b?w6Q=?=", "=?", "?=",
        "=3D", "=C3=A4", "=zz", "SGk=", "SGkh",
        "YQ", "\nSGVsbG8\n", "482913",
    ]

    private static let bytes: [[UInt8]] = [
        Array("Content-Type: text/plain; charset=koi8-r\n\n".utf8) + [0xCB, 0xCF, 0xC4, 10],
        Array("Content-Type: text/plain; charset=gb2312\n\n".utf8) + [
            0xD1, 0xE9, 0xD6, 0xA4, 0xC2, 0xEB, 10,
        ],
        Array("Content-Type: text/plain; charset=shift_jis\n\n".utf8) + [0x83, 0x52, 0x81, 0x5B, 10],
        Array("Content-Type: text/plain; charset=euc-kr\n\n".utf8) + [0xC0, 0xCE, 0xC1, 0xF5, 10],
        Array("Content-Type: text/plain; charset=big5\n\n".utf8) + [0xC5, 0xE7, 0xC3, 0xD2, 10],
        Array("Content-Type: text/plain; charset=iso-2022-jp\n\n\u{1B}$B%3\u{1B}(B1\n".utf8),
        Array("Content-Type: text/plain; charset=utf-8\n\nGr".utf8) + [0xC3, 0xBC, 0xE2, 0x82, 10],
    ]

    private static let mails = [
        "Subject: Your code\nFrom: Shop <shop@example.com>\nTo: ada@example.com, \"B, C\" <b@example.com>\n\nYour code is 482913.\n",
        "Subject: a\n b\n\tc\nCc: Team: a@example.com, B <b@example.com>;\n\n", "\nbody alone\n",
        "no header at all\n", "",
        """
        From: =?utf-8?q?Zo=C3=AB?= <z@example.com>
        To: ada@example.com (Ada)
        Subject: =?iso-8859-15?b?pA==?= =?iso-8859-15?b?pA==?=
        Content-Type: multipart/mixed; boundary="b"

        preamble
        --b
        Content-Type: multipart/alternative; boundary=bc

        --bc
        Content-Type: text/plain; charset=windows-1252
        Content-Transfer-Encoding: quoted-printable

        Your code: =80 123 456=

        --bc
        Content-Type: text/html; charset=utf-8

        <p>Your code 482913</p>
        --bc--

        --b
        Content-Type: application/pdf; name*0*=utf-8''%C3%84; name*1=b.pdf
        Content-Transfer-Encoding: base64

        JVBERg==
        --b--
        epilogue

        """,
        """
        Content-Type: multipart/digest; boundary=b

        --b

        Subject: one

        1
        --b
        Content-Type: text/plain

        2
        --b--

        """,
        """
        MIME-Version: 1.0
        Content-Type: text/html; charset=iso-8859-1
        Content-Transfer-Encoding: base64

        PHA+Q29kZTog
        NDgyOTEzPC9wPg==

        """,
        """
        Content-Type: multipart/related; type="text/html"; boundary=b

        --b
        Content-Type: text/html

        <img src="cid:1">
        --b
        Content-Type: image/png; name=logo.png
        Content-Disposition: inline; filename="logo.png"
        Content-ID: <1>
        Content-Transfer-Encoding: base64

        iVBORw0KGgo=
        --b
        Content-Type: message/rfc822
        Content-Disposition: attachment

        Subject: inner
        Content-Type: multipart/mixed; boundary=bc

        --bc

        x
        --bc--
        --b--

        """,
        """
        Subject: quoted
        Content-Type: text/plain; charset=utf-8; format=fixed
        Content-Transfer-Encoding: quoted-printable

        Gr=C3=BC=C3=9Fe,
        https://example.com/?a=3D1&b=
        =3D2 and more =20
        end

        """,
    ]
}
