import Essentials

/// What the commands do. Source: RFC 5321 §4.1.1.
extension MailDialogue {
    /// Nil when the reply is all there is to it.
    mutating func obey(_ line: String) throws(MailFault) -> Event? {
        if case .authenticating(let exchange) = stage {
            stage = .commands
            try proceed(exchange, line)
            return nil
        }
        let verb = line.prefix { $0 != " " }.asciiUppercased
        let rest = line.dropFirst(verb.utf8.count).drop { $0 == " " }
        if verb != "RCPT" { try countCommand() }
        switch verb {
        case "MAIL": try mail(rest)
        case "RCPT": try recipient(rest)
        case "DATA": try data(rest)
        case "EHLO", "HELO": try greet(verb, rest)
        case "RSET":
            forget()
            reply("250 2.0.0 ok")
        case "NOOP": reply("250 2.0.0 ok")
        case "QUIT": quit()
        case "VRFY": reply("252 2.1.5 every mailbox exists here")
        case "HELP": reply("214 2.0.0 \(known.joined(separator: " "))")
        case "AUTH": try authenticate(rest)
        case "STARTTLS": return try startTLS(rest)
        case "EXPN", "BDAT", "TURN", "ETRN", "ATRN", "SEND", "SOML", "SAML", "BURL":
            throw .commandAbsent(verb)
        case _ where line.contains(" HTTP/1."): throw .http
        default: throw .commandUnknown(String(verb.prefix(40)))
        }
        return nil
    }

    /// The commands that this session can give now.
    private var known: [String] {
        ["EHLO", "HELO"] + (offersTLS && !envelope.isSecure ? ["STARTTLS"] : [])
            + ["AUTH", "MAIL", "RCPT", "DATA", "RSET", "NOOP", "VRFY", "HELP", "QUIT"]
    }

    private mutating func countCommand() throws(MailFault) {
        idleCommands += 1
        guard idleCommands <= limits.idleCommands else { throw .tooManyCommands(limits.idleCommands) }
    }

    private mutating func greet(_ verb: String, _ name: Substring) throws(MailFault) {
        guard !name.isEmpty else { throw .argument(verb, expected: "\(verb) name-of-the-client") }
        try expectNothing(behind: verb)
        forget()
        envelope.client = String(name.prefix(255))
        envelope.isExtended = verb == "EHLO"
        guard envelope.isExtended else { return reply("250 \(Self.ownName)") }
        var lines = [
            Self.ownName, "PIPELINING", "SIZE \(limits.messageBytes)", "8BITMIME", "SMTPUTF8",
            "ENHANCEDSTATUSCODES",
        ]
        if offersTLS, !envelope.isSecure { lines.append("STARTTLS") }
        lines.append("AUTH PLAIN LOGIN")
        for line in lines { reply("250-" + line) }
        reply("250 HELP")
    }

    private mutating func startTLS(_ rest: Substring) throws(MailFault) -> Event {
        guard offersTLS else { throw .commandAbsent("STARTTLS") }
        guard rest.isEmpty else { throw .argument("STARTTLS", expected: "STARTTLS") }
        guard !envelope.isSecure else { throw .notNow("STARTTLS", during: "a session with TLS") }
        // What a stranger put before TLS must not be obeyed behind it. Source: RFC 3207 §4.2; CVE-2011-0411.
        try expectNothing(behind: "STARTTLS")
        reply("220 2.0.0 go ahead")
        return .startTLS
    }

    private mutating func data(_ rest: Substring) throws(MailFault) {
        guard rest.isEmpty else { throw .argument("DATA", expected: "DATA") }
        // Whoever pushes a mail does not know whether it will be one.
        try expectNothing(behind: "DATA")
        guard hasSender else { throw .order("DATA", needs: "MAIL") }
        guard !envelope.recipients.isEmpty else { throw .order("DATA", needs: "RCPT") }
        guard declaredBytes * envelope.recipients.count <= limits.copiesBytes else {
            throw .copiesTooLarge(limits.copiesBytes)
        }
        stage = .data(DataReader(limits, declared: declaredBytes))
        reply("354 send the mail, end it with a line that is a dot")
    }
}

/// The envelope.
extension MailDialogue {
    private mutating func mail(_ rest: Substring) throws(MailFault) {
        guard !envelope.client.isEmpty else { throw .order("MAIL", needs: "EHLO or HELO") }
        guard !hasSender else { throw .notNow("MAIL", during: "a mail; RSET ends it") }
        let path = try path(rest, behind: "FROM:", of: "MAIL")
        let parameters = try MailParameters(path.parameters)
        if let size = parameters.size, size > limits.messageBytes {
            throw .tooLarge(limit: limits.messageBytes)
        }
        if !path.address.isEmpty {
            if let defect = path.defect { throw .sender(defect) }
            guard path.isASCII || parameters.isUTF8 else { throw .addressNotASCII(path.address) }
        }
        envelope.sender = path.address
        envelope.isUTF8 = parameters.isUTF8
        declaredBytes = parameters.size ?? 0
        hasSender = true
        reply("250 2.1.0 ok")
    }

    private mutating func recipient(_ rest: Substring) throws(MailFault) {
        guard hasSender else { throw .order("RCPT", needs: "MAIL") }
        let path = try path(rest, behind: "TO:", of: "RCPT")
        if let first = path.parameters.first { throw .parameter(first.name, of: "RCPT") }
        if let defect = path.defect { throw .recipient(defect) }
        guard path.isASCII || envelope.isUTF8 else { throw .addressNotASCII(path.address) }
        guard envelope.recipients.count < limits.recipients else {
            throw .tooManyRecipients(limits.recipients)
        }
        envelope.recipients.append(path.address)
        reply("250 2.1.5 ok")
    }

    private func path(_ rest: Substring, behind word: String, of verb: String) throws(MailFault) -> MailPath {
        guard rest.utf8.count >= word.utf8.count, rest.prefix(word.count).asciiUppercased == word,
            let path = MailPath(rest.dropFirst(word.count))
        else { throw .argument(verb, expected: "\(verb) \(word)<user@domain>") }
        return path
    }
}

/// What may stand behind the sender.
struct MailParameters {
    /// Bytes.
    var size: Int?
    var isUTF8 = false

    init(_ given: [(name: String, value: String?)]) throws(MailFault) {
        var seen: Set<String> = []
        for (name, value) in given {
            let isNew = seen.insert(name).inserted
            switch name {
            case "SIZE":
                // RFC 1870 §4: one to twenty digits.
                guard isNew, let value, 1...20 ~= value.utf8.count,
                    value.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
                else { throw .value(name, expected: "a number of bytes") }
                size = Int(value) ?? .max
            case "BODY":
                guard isNew, ["7BIT", "8BITMIME"].contains(value?.asciiUppercased) else {
                    throw .value(name, expected: "7BIT or 8BITMIME")
                }
            case "SMTPUTF8":
                guard isNew, value == nil else { throw .value(name, expected: "no value") }
                isUTF8 = true
            case "AUTH":
                guard isNew, value != nil else { throw .value(name, expected: "a mailbox or <>") }
            default: throw .parameter(name, of: "MAIL")
            }
        }
    }
}
