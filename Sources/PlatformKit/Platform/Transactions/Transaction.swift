package import Essentials

/// Something that waits for a decision on a device, as console, control API and command line show it.
package struct Transaction: Sendable, Equatable {
    package typealias Step = ConsoleRecord.Step

    /// An attempt to tell the result to somebody's back end.
    package struct Notice: Sendable, Equatable {
        package let url: String
        package let at: Date
        /// Nil when nobody answered.
        package let status: Int?
        package let milliseconds: Double
        /// What went wrong; nil for a success.
        package let failure: String?

        package init(url: String, at: Date, status: Int?, milliseconds: Double, failure: String?) {
            (self.url, self.at, self.status, self.milliseconds, self.failure) =
                (url, at, status, milliseconds, failure)
        }
    }

    package var id: String
    /// Name of the platform that it belongs to; ``HoldsTransactions`` says it.
    package var platform: String
    /// What it is, as the platform calls it: `otp`, `push`, `sms`, `operation`.
    package var kind: String
    /// What the user is asked, in plain text.
    package var title: String
    /// Whose it is; nil as long as nobody is known.
    package var user: String?
    /// As the platform spells it.
    package var state: String
    /// Whether the state can still change.
    package var isOpen: Bool
    package var createdAt: Date
    package var expiresAt: Date
    /// What its QR code says; nil when it has none.
    package var code: String?
    /// Path and query of a page that shows it, under the platform's mount: `/sdk/v1/qr/ID?key=…`.
    package var page: String?
    /// What else is known of it.
    package var facts: [ConsoleRecord.Fact]
    /// What can be done to it now, such as `confirm`, `deny`, `expire`.
    package var actions: [String]
    /// Oldest first.
    package var steps: [Step]
    /// Oldest first.
    package var notices: [Notice]

    package init(
        id: String, platform: String = "", kind: String, title: String, user: String?, state: String,
        isOpen: Bool, createdAt: Date, expiresAt: Date, code: String? = nil, page: String? = nil,
        facts: [ConsoleRecord.Fact] = [], actions: [String] = [], steps: [Step] = [], notices: [Notice] = []
    ) {
        (self.id, self.platform, self.kind, self.title, self.user) = (id, platform, kind, title, user)
        (self.state, self.isOpen, self.createdAt, self.expiresAt) = (state, isOpen, createdAt, expiresAt)
        (self.code, self.page, self.facts, self.actions) = (code, page, facts, actions)
        (self.steps, self.notices) = (steps, notices)
    }
}

extension Transaction {
    /// With no more of each text than its beginning.
    ///
    /// - Parameter length: characters.
    package func shortened(to length: Int) -> Transaction {
        var short = self
        short.title = title.beginning(length)
        short.facts = facts.map { ConsoleRecord.Fact($0.name, $0.value.beginning(length)) }
        return short
    }
}

/// Has things that wait for somebody's decision.
package protocol HoldsTransactions: Section {
    /// What waits, or did lately: the newest of each sort, at most so many.
    func newestTransactions(_ limit: Int) throws -> [Transaction]

    /// How many can still change, counted by the database.
    func countOpenTransactions() throws -> Int

    /// Does what a device or a user would do, without one: ``Transaction/actions`` names what can be done.
    ///
    /// - Throws: ``TransactionRefusal`` or a refusal of the platform's own.
    func decide(_ action: String, on transactionID: String) throws
}

extension HoldsTransactions {
    /// Newest first.
    package func transactions() throws -> [Transaction] {
        try newestTransactions(Transaction.shown).map { transaction in
            var transaction = transaction
            transaction.platform = Self.name
            return transaction
        }.newestFirst(by: \.createdAt)
    }
}

extension Transaction {
    /// How many of each sort a list has, the newest.
    fileprivate static let shown = 200
}

extension Array {
    /// Sorted by time, the newest first. Stable: what is of the same time keeps its order.
    package func newestFirst(by date: (Element) -> Date) -> [Element] {
        enumerated().map { (index: $0.offset, date: date($0.element), element: $0.element) }
            .sorted { ($1.date, $0.index) < ($0.date, $1.index) }.map(\.element)
    }
}
