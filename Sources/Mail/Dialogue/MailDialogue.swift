/// The server's side of one SMTP session as a pure machine: bytes in, replies and events out.
///
/// Source: RFC 5321; PIPELINING RFC 2920, SIZE RFC 1870, 8BITMIME RFC 6152, SMTPUTF8 RFC 6531, STARTTLS RFC 3207, AUTH RFC 4954,
/// ENHANCEDSTATUSCODES RFC 2034. Not here: BDAT, DSN, BINARYMIME, VRFY that verifies.
package struct MailDialogue: Sendable {
    package enum Event: Sendable, Equatable {
        case needsMore
        /// A mail is complete; ``answer(_:)`` says what became of it.
        case mail(Envelope, [UInt8])
        /// The client was refused; the reply is written.
        case refused(MailFault)
        /// The reply is written; TLS begins behind it, then ``beginTLS()`` is to be called.
        case startTLS
        /// Nothing more is read. The connection ends once the output is sent.
        case over
    }

    enum Stage {
        case commands
        case authenticating(Exchange)
        case data(DataReader)
        /// A mail is with the caller.
        case awaitingAnswer
    }

    /// Which line of AUTH comes next.
    enum Exchange {
        case plain, userName
        case password(user: String)
    }

    /// What this server calls itself.
    package static let ownName = "understudy.localhost"

    let limits: MailLimits
    /// The server has a certificate.
    let offersTLS: Bool
    package internal(set) var envelope = Envelope()
    var stage = Stage.commands
    var hasSender = false
    var declaredBytes = 0
    /// Replies that are to be sent.
    package var output: [UInt8] = []

    private var input: [UInt8] = []
    private var position = 0
    /// Up to where the command that begins at `position` was looked through.
    private var scanned = 0
    private var refusals = 0
    var idleCommands = 0
    private var isFirstByte = true
    package private(set) var isOver = false

    package init(limits: MailLimits, offersTLS: Bool) {
        self.limits = limits
        self.offersTLS = offersTLS
        reply("220 \(Self.ownName) ESMTP Understudy, for development only")
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        if position == input.count {
            input.removeAll(keepingCapacity: true)
            (position, scanned) = (0, 0)
        }
        input.append(contentsOf: bytes)
    }

    /// Bytes of storage that a mail which is not complete takes.
    package var heldBytes: Int {
        if case .data(let reader) = stage { return reader.content.capacity }
        return 0
    }

    /// Bytes of storage that the mail which is coming needs in all: nothing more of it is read until ``grantRoom()``. Nil while it has
    /// enough. ``next()`` says ``Event/needsMore`` then.
    package var wantedRoom: Int? {
        guard case .data(let reader) = stage else { return nil }
        return reader.wantedRoom(for: input.count - position)
    }

    /// Takes the storage that ``wantedRoom`` asks for, and no more.
    package mutating func grantRoom() {
        guard let wanted = wantedRoom, case .data(var reader) = stage else { return }
        // The only reference to the content: else it would be copied.
        stage = .awaitingAnswer
        reader.grantRoom(wanted)
        stage = .data(reader)
    }

    /// Whether a mail is on its way, whose end is worth waiting for.
    package var isInMail: Bool {
        switch stage {
        case .data, .awaitingAnswer: true
        case .commands, .authenticating: false
        }
    }

    /// Gives the storage of the input back while the client is quiet.
    package mutating func slim() {
        guard position == input.count else { return }
        (input, position, scanned) = ([], 0, 0)
    }

    package mutating func next() -> Event {
        do throws(MailFault) {
            while !isOver {
                switch stage {
                case .awaitingAnswer: return .needsMore
                case .data:
                    guard let event = try readData() else { continue }
                    return event
                case .commands, .authenticating:
                    guard let line = try takeLine() else { return .needsMore }
                    if let event = try obey(line) { return event }
                }
            }
            return .over
        } catch {
            return refuse(error)
        }
    }

    /// What became of the mail that ``next()`` gave.
    ///
    /// - Parameter id: names the mail in the reply, so that it is found.
    package mutating func answer(_ outcome: Result<String, MailFault>) -> MailFault? {
        forget()
        stage = .commands
        idleCommands = 0
        switch outcome {
        case .success(let id):
            reply("250 2.0.0 ok, \(id)")
            return nil
        case .failure(let fault):
            _ = refuse(fault)
            return fault
        }
    }

    /// Ends the session from outside: time is over, or the server stops.
    package mutating func end(_ fault: MailFault) {
        guard !isOver else { return }
        write(fault)
        isOver = true
    }

    /// TLS is there: the session begins anew. Source: RFC 3207 §4.2.
    package mutating func beginTLS() {
        envelope = Envelope()
        envelope.isSecure = true
        forget()
    }

    /// Ends the transaction.
    mutating func forget() {
        envelope.sender = ""
        envelope.recipients = []
        envelope.isUTF8 = false
        hasSender = false
        declaredBytes = 0
    }

    mutating func reply(_ line: String) {
        output.append(contentsOf: line.utf8)
        output += [.carriageReturn, .lineFeed]
    }

    mutating func quit() {
        reply("221 2.0.0 goodbye")
        isOver = true
    }

    /// Refuses what depends on its answer and did not wait for it.
    func expectNothing(behind verb: String) throws(MailFault) {
        guard position == input.count else { throw .pipelined(behind: verb) }
    }

    private mutating func write(_ fault: MailFault) {
        if fault == .tlsWithoutAsking {
            // A fatal alert, handshake_failure, in a record of the first version, which every client reads. RFC 8446 §6, appendix D.
            output += [21, 3, 1, 0, 2, 2, 40]
        } else {
            reply("\(fault.code) \(fault.status) \(fault.text)")
        }
    }

    private mutating func refuse(_ fault: MailFault) -> Event {
        write(fault)
        refusals += 1
        isOver = fault.closes
        guard !isOver, refusals >= limits.refusals else { return .refused(fault) }
        let last = MailFault.tooManyRefusals(limits.refusals)
        write(last)
        isOver = true
        return .refused(last)
    }
}

extension MailDialogue {
    /// The mail as far as it has come; nil when the stage has changed.
    private mutating func readData() throws(MailFault) -> Event? {
        guard wantedRoom == nil else { return .needsMore }
        guard case .data(var reader) = stage else { return nil }
        // The only reference to the content: else each step would copy it.
        stage = .awaitingAnswer
        let most = min(input.count - position, reader.readableBytes)
        let (consumed, outcome) = input.withUnsafeBytes {
            reader.read(UnsafeRawBufferPointer(rebasing: $0[position..<position + most]))
        }
        position += consumed
        scanned = position
        switch outcome {
        case .needsMore:
            stage = .data(reader)
            return .needsMore
        case .fault(let fault): throw fault
        case .end: return try finish(&reader)
        }
    }

    private mutating func finish(_ reader: inout DataReader) throws(MailFault) -> Event {
        let (sent, mail, isTooLarge) = (envelope, reader.take(), reader.isTooLarge)
        let fault: MailFault? =
            isTooLarge
            ? .tooLarge(limit: limits.messageBytes)
            : mail.count * sent.recipients.count > limits.copiesBytes
                ? .copiesTooLarge(limits.copiesBytes) : nil
        if let fault {
            forget()
            stage = .commands
            throw fault
        }
        return .mail(sent, mail)
    }

    /// The next command without its end; nil when it is not complete.
    private mutating func takeLine() throws(MailFault) -> String? {
        if isFirstByte, position < input.count {
            isFirstByte = false
            // Content type of a TLS handshake. RFC 8446 §5.1.
            if input[position] == 22, !envelope.isSecure { throw .tlsWithoutAsking }
        }
        guard let end = try endOfLine() else { return nil }
        let line = input[position..<end - 1]
        position = end + 1
        scanned = position
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }),
            let text = String(validating: line, as: UTF8.self)
        else { throw .commandNotText }
        return text
    }

    /// Where its line feed stands. Byte by byte, so that it makes no difference in which pieces they came.
    private mutating func endOfLine() throws(MailFault) -> Int? {
        while scanned < input.count {
            let byte = input[scanned]
            let follows = scanned > position && input[scanned - 1] == .carriageReturn
            if scanned - position >= limits.commandBytes, scanned - position >= room {
                throw .commandTooLong(limit: room)
            }
            if byte == .lineFeed {
                guard follows else { throw .bareLineFeed(in: "A command") }
                return scanned
            }
            if follows { throw .bareCarriageReturn(in: "A command") }
            scanned += 1
        }
        return nil
    }

    /// Bytes that the command may have. `AUTH PLAIN` may bring its answer on the same line.
    private var room: Int {
        if case .authenticating = stage { return limits.authenticationBytes }
        return input[position...].prefix(5).map(\.lowercased) == Array("auth ".utf8)
            ? limits.authenticationBytes : limits.commandBytes
    }
}
