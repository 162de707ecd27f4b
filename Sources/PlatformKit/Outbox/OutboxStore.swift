package import Essentials
package import SQLite

/// The newest 5,000 messages of a world with at most 256 MiB of source, newest last. Fewer in memory, where the outboxes of all worlds
/// together have too much.
package struct OutboxStore: Sendable {
    package static let migrations: [SQL] = [
        """
        CREATE TABLE kit_message (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sent_at INTEGER NOT NULL, -- milliseconds since 1970 UTC, by the world's clock
            channel TEXT NOT NULL,
            kind TEXT NOT NULL,
            sender_address TEXT NOT NULL,
            sender_name TEXT,
            recipient_address TEXT NOT NULL,
            recipient_name TEXT,
            subject TEXT NOT NULL,
            plain TEXT NOT NULL,
            html TEXT,
            code TEXT,
            link TEXT,
            expires_at INTEGER, -- milliseconds since 1970 UTC
            used_at INTEGER, -- when code or link were used up; milliseconds since 1970 UTC
            source TEXT NOT NULL,
            forwarded INTEGER NOT NULL DEFAULT 0, -- handed to every relay and folder
            through INTEGER NOT NULL, -- bytes of source up to this one and with it
            raw BLOB NOT NULL -- RFC 5322, lines ending in CR LF; last, because lists leave it unread
        ) STRICT
        """,
        "CREATE INDEX kit_message_by_code ON kit_message (code) WHERE code IS NOT NULL",
    ]

    /// What a reader asks for; every condition that is set must hold.
    package struct Query: Sendable {
        /// Recipient, letters compared without case.
        package var to: String?
        /// Part of the subject, without regard to case.
        package var subject: TextSearch?
        package var kind: String?
        /// Words in subject, text, recipient or code, without regard to case.
        package var words: TextSearch?
        /// Only messages with a greater id.
        package var after: Int?
        /// Only messages that carry a code or a link.
        package var hasCode = false
        /// Only messages whose code or link can still be used at this time: neither used up nor expired.
        package var usableAt: Date?
        /// At most so many, the newest.
        package var limit = 200

        package init() {}

        /// Different for each query: texts stand behind their lengths.
        fileprivate var name: String {
            var name = "\(after ?? -1),\(limit),\(hasCode ? 1 : 0)\(usableAt == nil ? 0 : 1)"
            for text in [to, subject?.text, kind, words?.text] {
                name += text.map { ",\($0.utf8.count):" } ?? ",-"
                name += text ?? ""
            }
            return name
        }
    }

    let database: Database
    let bell: Bell
    private let limit: Int
    private let byteLimit: Int
    /// Nil where messages are kept in a file.
    private let shelf: OutboxMemory?

    /// All columns but the source.
    private static let columns: StaticString = """
        id, sent_at, channel, kind, sender_address, sender_name, recipient_address, recipient_name, subject, plain, html, code, link,
            expires_at, used_at, source
        """

    /// - Parameters:
    ///   - limit: messages that are kept; the oldest make room.
    ///   - byteLimit: bytes of their sources; the oldest make room.
    ///   - budget: of the outboxes of all worlds in memory; nil where they are in files.
    package init(
        database: Database, bell: Bell, limit: Int = 5000, byteLimit: Int = 256 * 1024 * 1024,
        budget: KeptBudget? = nil
    ) {
        self.database = database
        self.bell = bell
        self.limit = limit
        shelf = budget.map { OutboxMemory(database, bell, $0) }
        self.byteLimit = min(byteLimit, shelf?.byteLimit ?? byteLimit)
    }

    /// Newest first.
    package func messages(_ query: Query) throws -> [SentMessage] {
        try database.read { db in try Self.ids(query, in: db).compactMap { try Self.message($0, in: db) } }
    }

    /// The ids of those that fit, newest first: for who reads one message at a time, since all of them may be many megabytes.
    package func ids(_ query: Query) throws -> [Int] { try database.read { try Self.ids(query, in: $0) } }

    private static func ids(_ query: Query, in db: Connection) throws -> [Int] {
        let isSearch = query.subject != nil || query.words != nil
        var ids: [Int] = []
        try db.each(
            """
            SELECT \(raw: isSearch ? columns : "id") FROM kit_message WHERE \(fragment: condition(query))
            ORDER BY id DESC LIMIT \(isSearch ? -1 : query.limit)
            """
        ) { row in
            guard ids.count < query.limit else { return }
            if let subject = query.subject, !subject.isIn(try row.text("subject")) { return }
            if let words = query.words,
                !(try SentMessage(row: row).message.shownTexts.contains(where: words.isIn))
            {
                return
            }
            ids.append(try row.integer("id"))
        }
        return ids
    }

    /// Everything but the subject, which SQLite would compare in ASCII alone, and in a time that grows with the length of the words.
    private static func condition(_ query: Query) -> SQL {
        """
        (\(query.to) IS NULL OR recipient_address = \(query.to) COLLATE NOCASE)
            AND (\(query.kind) IS NULL OR kind = \(query.kind))
            AND (\(query.after) IS NULL OR id > \(query.after))
            AND (NOT \(query.hasCode) OR code IS NOT NULL OR link IS NOT NULL)
            AND (\(query.usableAt) IS NULL OR used_at IS NULL AND coalesce(expires_at > \(query.usableAt), 1))
        """
    }

    package func message(_ id: Int) throws -> SentMessage? {
        try database.read { try Self.message(id, in: $0) }
    }

    private static func message(_ id: Int, in db: Connection) throws -> SentMessage? {
        try db.first(SentMessage.self, "SELECT \(raw: columns) FROM kit_message WHERE id = \(id)")
    }

    /// A message with its source.
    package func letter(_ id: Int) throws -> Letter? {
        try database.read { db in try db.first(Letter.self, "SELECT * FROM kit_message WHERE id = \(id)") }
    }

    /// The newest message that fits.
    ///
    /// - Parameter mayShare: it may be what another one who was woken by the same ring has just found.
    package func newest(_ query: Query, mayShare: Bool = false) throws -> SentMessage? {
        var query = query
        query.limit = 1
        let only = query
        return mayShare ? try bell.shared(only.name) { try messages(only).first } : try messages(only).first
    }

    /// What wakes a request that waits for a message that fits; taken before the first look.
    package func occasion(_ query: Query) -> Occasion { bell.occasion(about: query.to.map(Self.topic)) }

    /// What a ring for a message to `address` is about.
    private static func topic(_ address: String) -> String { address.lowercased() }

    /// Calls `listener` after every change, a new message, a deletion, a reset, until the returned closure is called. The
    /// listener must not wait.
    package func listen(_ listener: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        bell.listen(listener)
    }

    /// No message will come any more: the world or the program is ending. Those who listen hear of it like of a change.
    package var isClosed: Bool { bell.isClosed }

    /// - Returns: false when there is no such message.
    package func delete(_ id: Int) throws -> Bool {
        let deleted = try database.write { db in
            try db.execute("DELETE FROM kit_message WHERE id = \(id)")
            let isThere = db.changes > 0
            try shelf?.measure(db)
            return isThere
        }
        shelf?.giveBack()
        bell.ring()
        return deleted
    }

    /// Deletes what was sent to `address`, letters compared without case.
    package func deleteAll(to address: String) throws {
        try database.write { db in
            try db.execute("DELETE FROM kit_message WHERE recipient_address = \(address) COLLATE NOCASE")
            try shelf?.measure(db)
        }
        shelf?.giveBack()
        bell.ring()
    }

    package func deleteAll() throws {
        try database.write { db in
            try db.execute("DELETE FROM kit_message")
            try shelf?.measure(db)
        }
        shelf?.giveBack()
        bell.ring()
    }

    /// Keeps a message, in the caller's transaction. ``announce(_:)`` follows it.
    ///
    /// - Parameter raw: its source; see ``Letter``.
    func insert(_ message: Message, raw: [UInt8], at now: Date, in db: Connection) throws -> Letter {
        let last = try db.value(Int.self, "SELECT through FROM kit_message ORDER BY id DESC LIMIT 1")
        let through = (last ?? 0).adding(raw.count)
        try db.execute(
            """
            INSERT INTO kit_message (
                sent_at, channel, kind, sender_address, sender_name, recipient_address, recipient_name,
                subject, plain, html, code, link, expires_at, source, through, raw
            ) VALUES (
                \(now), \(message.channel.rawValue), \(message.kind), \(message.from.address),
                \(message.from.name), \(message.to.address), \(message.to.name), \(message.subject),
                \(message.text), \(message.html), \(message.code), \(message.link), \(message.expiresAt),
                \(message.source), \(through), \(raw)
            )
            """)
        let id = db.lastInsertID
        try db.execute("DELETE FROM kit_message WHERE id <= \(id - limit)")
        try makeRoom(through - byteLimit, in: db)
        try shelf?.measure(db)
        return Letter(sent: SentMessage(id: id, sentAt: now, message: message), raw: raw)
    }

    /// Notes that a code, or the link that carries it, was used up. Other messages to the same recipient stay as they are.
    static func noteUse(of code: String, sentTo address: String, at now: Date, in db: Connection) throws {
        try db.execute(
            """
            UPDATE kit_message SET used_at = \(now)
            WHERE code = \(code) AND recipient_address = \(address) COLLATE NOCASE AND used_at IS NULL
            """)
    }

    /// The same for a message of a platform, whose source is made here.
    ///
    /// - Parameter token: makes the `Message-ID` unique.
    func insert(_ message: Message, at now: Date, token: String, in db: Connection) throws -> Letter {
        let raw = MailComposer(message: message, date: now, token: token).compose()
        return try insert(message, raw: Array(raw.utf8), at: now, in: db)
    }

    /// Deletes the oldest messages, whose sources begin before `floor`, but never the newest.
    private func makeRoom(_ floor: Int, in db: Connection) throws {
        guard floor > 0 else { return }
        while let beginning = try db.value(
            Int.self, "SELECT through - length(raw) FROM kit_message ORDER BY id LIMIT 1"), beginning < floor,
            try db.value(Int.self, "SELECT count(*) FROM (SELECT 1 FROM kit_message LIMIT 2)") == 2
        { try db.execute("DELETE FROM kit_message WHERE id = (SELECT min(id) FROM kit_message)") }
    }

    /// Wakes those who wait for a message to its recipient.
    func announce(_ sent: SentMessage) {
        shelf?.settle()
        bell.ring(about: [Self.topic(sent.message.to.address)])
    }

    /// Mails that wait to be handed on, oldest first.
    func unforwarded() throws -> [Letter] {
        try database.read { db in
            try db.all(
                Letter.self,
                "SELECT * FROM kit_message WHERE channel = 'mail' AND forwarded = 0 ORDER BY id")
        }
    }

    func markForwarded(_ id: Int) throws {
        try database.write { db in try db.execute("UPDATE kit_message SET forwarded = 1 WHERE id = \(id)") }
    }
}
