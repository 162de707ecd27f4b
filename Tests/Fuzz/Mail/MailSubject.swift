import Mail

/// One SMTP session, and the mails that it gives: no mail is taken whose end another server would see elsewhere, and every mail can
/// be read within limits.
struct MailSubject: Subject {
    static let name = "smtp"
    static let memoryMiB: Int? = 128

    private static var limits: MailLimits {
        var limits = MailLimits()
        (limits.messageBytes, limits.lineBytes, limits.recipients) = (3000, 600, 4)
        (limits.refusals, limits.idleCommands, limits.copiesBytes) = (6, 40, 6000)
        return limits
    }

    /// All that a session comes to.
    private struct Session: Equatable {
        var output: [UInt8] = []
        var mails: [[UInt8]] = []
        var envelopes: [Envelope] = []
        var faults: [MailFault] = []
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let offersTLS = random.below(2) == 0
        var sizes = random
        // A client that waits behind each line, so that nothing comes too early; then others that do not.
        let waiting = try session(input, offersTLS) {
            ($0.firstIndex(of: 10) ?? $0.endIndex - 1) - $0.startIndex + 1
        }
        guard try session(input, offersTLS, size: { _ in 1 }) == waiting else {
            throw Violation("byte by byte the session is another one")
        }
        let hasty = [
            try session(input, offersTLS) { $0.count },
            try session(input, offersTLS) { 1 + sizes.below(min($0.count, 200)) },
        ]
        for session in [waiting] + hasty {
            for (mail, envelope) in zip(session.mails, session.envelopes) {
                try check(mail, envelope, in: input)
            }
            try checkReplies(session.output)
            // Who does not wait may be refused for it, and gets no more than who does.
            guard waiting.mails.starts(with: session.mails) else {
                throw Violation("in other pieces there are other mails")
            }
        }
        try checkReading(input)
    }

    private func session(_ input: [UInt8], _ offersTLS: Bool, size: (ArraySlice<UInt8>) -> Int)
        throws(Violation) -> Session
    {
        var (dialogue, session, rest) = (
            MailDialogue(limits: Self.limits, offersTLS: offersTLS), Session(), input[...]
        )
        while !rest.isEmpty, !dialogue.isOver {
            let piece = rest.prefix(size(rest))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { dialogue.append($0) }
            try drain(&dialogue, into: &session, most: input.count)
            // Storage, which grows by half and is rounded up by the allocator.
            guard dialogue.heldBytes <= 2 * Self.limits.messageBytes + 1024 else {
                throw Violation("\(dialogue.heldBytes) bytes are held")
            }
        }
        session.output = dialogue.output
        return session
    }

    private func drain(_ dialogue: inout MailDialogue, into session: inout Session, most: Int)
        throws(Violation)
    {
        for _ in 0...most {
            switch dialogue.next() {
            case .needsMore, .over: return
            case .startTLS: dialogue.beginTLS()
            case .refused(let fault): session.faults.append(fault)
            case .mail(let envelope, let mail):
                session.mails.append(mail)
                session.envelopes.append(envelope)
                _ = dialogue.answer(.success("kept"))
            }
        }
        throw Violation("more events than bytes")
    }

    /// A mail, written out as a client writes it, stands in the input behind a line end, and has no line end but CR LF.
    private func check(_ mail: [UInt8], _ envelope: Envelope, in input: [UInt8]) throws(Violation) {
        guard !envelope.recipients.isEmpty, envelope.recipients.count <= Self.limits.recipients,
            mail.count <= Self.limits.messageBytes
        else { throw Violation("a mail beyond the limits") }
        var (sent, previous, isStart) = ([UInt8](), UInt8(10), true)
        for byte in mail {
            if previous == 13, byte != 10 { throw Violation("a bare carriage return was taken") }
            if byte == 10, previous != 13 { throw Violation("a bare line feed was taken") }
            if isStart, byte == UInt8(ascii: ".") { sent.append(byte) }
            sent.append(byte)
            (isStart, previous) = (byte == 10, byte)
        }
        guard mail.isEmpty || mail.suffix(2) == [13, 10] else { throw Violation("a mail without a line end") }
        // A dot before anything but a dot is taken away too, so that only mails without such lines are found again.
        let needle = [13, 10] + sent + [UInt8(ascii: "."), 13, 10]
        let hasLoneDots = input.indices.contains { index in
            index > 0 && input[index - 1] == 10 && input[index] == UInt8(ascii: ".")
                && index + 1 < input.count
                && input[index + 1] != UInt8(ascii: ".") && input[index + 1] != 13
        }
        guard hasLoneDots || contains(input, needle) else {
            throw Violation("a mail that was not sent so: \(mail)")
        }
    }

    private func contains(_ input: [UInt8], _ needle: [UInt8]) -> Bool {
        guard input.count >= needle.count else { return false }
        return (0...(input.count - needle.count)).contains {
            input[$0] == needle[0] && input[$0..<$0 + needle.count].elementsEqual(needle)
        }
    }

    /// Whole lines of codes and printable ASCII; only an alert for TLS is something else.
    private func checkReplies(_ output: [UInt8]) throws(Violation) {
        guard !output.contains(21) else { return }
        for line in output.split(separator: 10) {
            guard line.last == 13, line.count >= 5, line.prefix(3).allSatisfy({ 0x30...0x39 ~= $0 }),
                line.dropLast().allSatisfy({ 0x20...0x7E ~= $0 }), line.count <= 512
            else { throw Violation("a reply like \(String(decoding: line, as: UTF8.self))") }
        }
    }

    /// Whatever the bytes are, there is a mail.
    private func checkReading(_ input: [UInt8]) throws(Violation) {
        let mail = MIMEMail(input)
        let names = [mail.subject] + mail.attachments.map(\.name) + mail.from.map(\.address)
        guard names.allSatisfy({ $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
        else {
            throw Violation("a control character is shown: \(names)")
        }
        for attachment in mail.attachments {
            guard attachment.content(in: input).count <= input.count, !attachment.name.isEmpty,
                !attachment.name.contains("/")
            else {
                throw Violation("an attachment \(attachment.name)")
            }
        }
        let html = HTMLText(mail.html ?? String(decoding: input, as: UTF8.self))
        let text = mail.text ?? html.plain
        guard !text.unicodeScalars.contains("\0") || mail.text == nil else {
            throw Violation("a text with a zero")
        }
        try check(MailReading(mail, isWhole: true))
        try check(MailReading(subject: mail.subject, text: text, html: mail.html, isWhole: false))
    }
    /// A code can be typed, a link leads somewhere.
    private func check(_ reading: MailReading) throws(Violation) {
        for code in reading.codes.map(\.code) {
            guard 4...41 ~= code.utf8.count, code.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x80 }) else {
                throw Violation("a code \(code)")
            }
        }
        guard reading.code == reading.codes.first?.code else {
            throw Violation("the first code is another one")
        }
        if let link = reading.link, !link.contains(":/") { throw Violation("a link \(link)") }
    }
}
