/// Why a client is refused: the reply, and the sentence for the journal. Codes: RFC 5321 §4.2; the second number RFC 3463.
package struct MailFault: Error, Sendable, Equatable {
    package let code: Int
    /// Such as `5.5.1`.
    package let status: String
    /// What the client reads behind the codes, in ASCII.
    package let text: String
    /// A full sentence: what was expected, what came.
    package let explanation: String
    /// The connection ends with the reply, because what follows cannot be trusted or is too much.
    package let closes: Bool

    package init(_ code: Int, _ status: String, _ text: String, _ explanation: String, closes: Bool = false) {
        (self.code, self.status, self.text) = (code, status, text)
        (self.explanation, self.closes) = (explanation, closes)
    }
}

/// Lines and bytes that are none of SMTP.
extension MailFault {
    /// Two servers that end lines differently see different mails in one stream, which is how mails are smuggled. Source: RFC 5321 §2.3.8.
    static func bareLineFeed(in place: String) -> Self {
        Self(
            554, "5.5.2", "bare <LF> received; lines end in <CR><LF>",
            "\(place) has a line feed without a carriage return before it. Lines end in CR LF alone (RFC 5321 §2.3.8): anything else "
                + "lets mails be smuggled, and servers refuse it.", closes: true)
    }

    static func bareCarriageReturn(in place: String) -> Self {
        Self(
            554, "5.5.2", "bare <CR> received; lines end in <CR><LF>",
            "\(place) has a carriage return without a line feed behind it. Lines end in CR LF alone (RFC 5321 §2.3.8): anything else "
                + "lets mails be smuggled, and servers refuse it.", closes: true)
    }

    static func commandTooLong(limit: Int) -> Self {
        Self(
            500, "5.5.2", "line too long",
            "A command is longer than \(limit) bytes. RFC 5321 §4.5.3.1.4 promises 512.", closes: true)
    }

    static let commandNotText = Self(
        500, "5.5.2", "not a command",
        "A command has bytes that are neither ASCII nor UTF-8, or a control character.")

    static func commandUnknown(_ verb: String) -> Self {
        Self(
            500, "5.5.1", "command not recognized",
            "The command “\(verb)” is not known here; these are: EHLO, HELO, STARTTLS, AUTH, MAIL, RCPT, DATA, RSET, NOOP, VRFY, HELP, QUIT."
        )
    }

    static func commandAbsent(_ verb: String) -> Self {
        Self(502, "5.5.1", "command not implemented", "\(verb) is not emulated; EHLO does not offer it.")
    }

    /// Bytes that were sent before the answer on which their meaning depends: a mail that is pushed, or commands put before TLS.
    static func pipelined(behind verb: String) -> Self {
        Self(
            554, "5.5.0", "improper use of pipelining",
            "More came behind \(verb) before it was answered. \(verb) must be the last command of a group (RFC 2920 §3.1): "
                + "what follows means something else when it is refused.", closes: true)
    }

    static let http = Self(
        554, "5.5.0", "this is SMTP",
        "An HTTP request came to the SMTP port; the console and the platforms are at the port of --port.",
        closes: true)

    /// Answered by a TLS alert instead of a reply.
    static let tlsWithoutAsking = Self(
        554, "5.7.0", "TLS begins with STARTTLS",
        "TLS came to the SMTP port without STARTTLS. Set the client to STARTTLS, or to no encryption; implicit TLS (SMTPS, port 465) is not emulated.",
        closes: true)
}

/// Commands at the wrong time, and beyond limits.
extension MailFault {
    static func order(_ verb: String, needs: String) -> Self {
        Self(503, "5.5.1", "send \(needs) first", "\(verb) came before \(needs).")
    }

    static func notNow(_ verb: String, during what: String) -> Self {
        Self(503, "5.5.1", "not during \(what)", "\(verb) came during \(what).")
    }

    static func argument(_ verb: String, expected: String) -> Self {
        Self(501, "5.5.4", "syntax: \(expected)", "\(verb) expects “\(expected)”.")
    }

    static func tooManyRefusals(_ limit: Int) -> Self {
        Self(
            421, "4.7.0", "too many errors", "The session ended after \(limit) refused commands.",
            closes: true)
    }

    static func tooManyCommands(_ limit: Int) -> Self {
        Self(
            421, "4.7.0", "too many commands without a mail",
            "The session ended after \(limit) commands without a mail.", closes: true)
    }

    package static func late(_ what: String) -> Self {
        Self(421, "4.4.2", "\(what); closing", "The connection was closed: \(what).", closes: true)
    }

    package static let stopping = Self(
        421, "4.3.2", "the server stops", "The server stops; the client may try again later.", closes: true)

    package static func tooManyConnections(_ most: Int) -> Self {
        Self(
            421, "4.7.0", "too many connections",
            "All \(most) SMTP connections are in use. Close connections that are done.", closes: true)
    }

    package static func memoryFull(_ bytes: Int) -> Self {
        Self(
            452, "4.3.1", "too much mail at once; try again in a second",
            "Mails and requests that are being received or handled take up the \(bytes / 1_048_576) MiB of --body-memory.",
            closes: true)
    }

    package static func notKept(_ reason: String) -> Self {
        Self(451, "4.3.0", "the mail cannot be kept", "The mail cannot be kept: \(reason).")
    }

    package static let loop = Self(
        554, "5.4.6", "mail loop",
        "The mail was here before: a trace field of this server stands in it. --smtp-relay must not lead back to --smtp-port."
    )
}

/// Addresses, parameters and mails.
extension MailFault {
    static func sender(_ reason: String) -> Self {
        Self(501, "5.1.7", "bad sender address", "The sender's address \(reason).")
    }

    static func recipient(_ reason: String) -> Self {
        Self(501, "5.1.3", "bad recipient address", "The recipient's address \(reason).")
    }

    static func addressNotASCII(_ address: String) -> Self {
        Self(
            553, "5.6.7", "SMTPUTF8 is needed for this address",
            "The address \(address) is not ASCII; MAIL must say SMTPUTF8 (RFC 6531 §3.4).")
    }

    static func parameter(_ name: String, of verb: String) -> Self {
        Self(
            555, "5.5.4", "parameter not recognized",
            "\(verb) has the parameter “\(name)”, which EHLO does not offer.")
    }

    static func value(_ parameter: String, expected: String) -> Self {
        Self(
            501, "5.5.4", "bad value of \(parameter)", "The parameter \(parameter) expects \(expected), once."
        )
    }

    static func tooManyRecipients(_ limit: Int) -> Self {
        Self(
            452, "4.5.3", "too many recipients",
            "A mail has more than \(limit) recipients; send it again to the rest.")
    }

    static func tooLarge(limit: Int) -> Self {
        Self(
            552, "5.3.4", "message too large",
            "The mail is larger than the \(limit) bytes that SIZE announces.")
    }

    static func flood(limit: Int) -> Self {
        Self(
            552, "5.3.4", "message too large",
            "The mail went on far beyond the \(limit) bytes that SIZE announces.", closes: true)
    }

    static func copiesTooLarge(_ limit: Int) -> Self {
        Self(
            552, "5.3.4", "message too large for so many recipients",
            "The mail times its recipients is more than \(limit / 1_048_576) MiB; send it to fewer at a time."
        )
    }

    static func lineTooLong(limit: Int) -> Self {
        Self(
            554, "5.6.0", "line too long",
            "A line of the mail is longer than \(limit) bytes; RFC 5321 §4.5.3.1.6 allows 998. Encode it as quoted-printable or Base64.",
            closes: true)
    }
}

/// AUTH. Source: RFC 4954 §4, §6.
extension MailFault {
    static func mechanism(_ name: String) -> Self {
        Self(504, "5.5.4", "mechanism not recognized", "AUTH knows PLAIN and LOGIN here, not “\(name)”.")
    }

    static let cancelled = Self(
        501, "5.7.0", "authentication cancelled", "The client cancelled AUTH with “*”.")

    static let credentialsMalformed = Self(
        501, "5.5.2", "cannot be decoded",
        "What came for AUTH is not Base64, not UTF-8, or for PLAIN not “authorization NUL user NUL password” (RFC 4616 §2)."
    )
}
