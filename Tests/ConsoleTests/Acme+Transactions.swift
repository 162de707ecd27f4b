import Essentials
import PlatformKit
import SQLite

/// Questions that wait for an answer, kept as the other platforms keep theirs; time alone lets them expire.
extension Acme: HoldsTransactions {
    static let questions: [SQL] = [
        """
        CREATE TABLE acme_question (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            code TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE acme_step (
            question TEXT NOT NULL,
            state TEXT NOT NULL,
            user TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
    ]

    private struct Question: RowDecodable {
        let id: String
        let title: String
        let code: String?
        let createdAt: Date
        let expiresAt: Date

        init(row: Row) throws {
            id = try row.text("id")
            title = try row.text("title")
            code = try row.optionalText("code")
            createdAt = try row.date("created_at")
            expiresAt = try row.date("expires_at")
        }
    }

    private struct Step: RowDecodable {
        let state: String
        let user: String?
        let at: Date

        init(row: Row) throws {
            state = try row.text("state")
            user = try row.optionalText("user")
            at = try row.date("at")
        }
    }

    /// Asks a question that can be answered for 300 s.
    func ask(_ id: String, title: String = "Log in?", code: String? = "acme:1234") throws {
        let now = services.clock.now
        try database.write { db in
            try db.execute(
                """
                INSERT INTO acme_question VALUES (\(id), \(title), \(code), \(now()), \(now().addingTimeInterval(300)))
                """)
            try db.execute("INSERT INTO acme_step VALUES (\(id), 'INITIALIZED', NULL, \(now()))")
        }
        services.journal.event("question asked", "The question \(id) was asked.")
    }

    func newestTransactions(_: Int) throws -> [Transaction] {
        try database.read { db in
            try db.all(Question.self, "SELECT * FROM acme_question ORDER BY created_at DESC").map {
                try transaction($0, in: db)
            }
        }
    }

    func countOpenTransactions() throws -> Int { try newestTransactions(.max).count(where: \.isOpen) }

    private func transaction(_ question: Question, in db: Connection) throws -> Transaction {
        let steps = try db.all(
            Step.self, "SELECT * FROM acme_step WHERE question = \(question.id) ORDER BY rowid")
        let state = steps.last?.state ?? ""
        let isAnswered = ["AUTHENTICATED", "DENIED"].contains(state)
        let isOpen = !isAnswered && question.expiresAt > services.clock.now()
        let notice = Transaction.Notice(
            url: "http://localhost:3000/<callback>", at: question.createdAt, status: 503,
            milliseconds: 3.4125,
            failure: "It answered <503>.")
        return Transaction(
            id: question.id, kind: "otp", title: question.title,
            user: steps.lazy.compactMap(\.user).last, state: isOpen || isAnswered ? state : "EXPIRED",
            isOpen: isOpen, createdAt: question.createdAt, expiresAt: question.expiresAt, code: question.code,
            page: question.code.map { _ in "/sdk/v1/qr/\(question.id)?key=1" },
            facts: [ConsoleRecord.Fact("Amount", "<100>")],
            actions: isOpen ? ["confirm", "confirm:ada", "deny"] : [],
            steps: steps.map { Transaction.Step($0.state, at: $0.at) },
            notices: state == "DENIED" ? [notice] : [])
    }

    func decide(_ action: String, on transactionID: String) throws {
        guard let question = try transactions().first(where: { $0.id == transactionID }) else {
            throw TransactionRefusal.unknown(transactionID)
        }
        let parts = action.split(separator: ":", maxSplits: 1).map(String.init)
        let states = ["fetch": "FETCHED", "confirm": "AUTHENTICATED", "deny": "DENIED"]
        if action == "refuse" { throw Refused() }
        if action == "nobody" { throw TransactionRefusal.impossible("Nobody has a device.") }
        guard let state = states[parts.first ?? ""] else {
            throw TransactionRefusal.actionUnknown(action, known: question.actions)
        }
        guard question.isOpen else { throw TransactionRefusal.tooLate(action, state: question.state) }
        let user = state == "FETCHED" ? nil : parts.count > 1 ? parts[1] : "grace"
        try database.write { db in
            try db.execute(
                "INSERT INTO acme_step VALUES (\(transactionID), \(state), \(user), \(services.clock.now()))")
        }
    }
}
