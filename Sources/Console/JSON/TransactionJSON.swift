import Essentials
import HTTP
import PlatformKit

/// A transaction, as the API gives it.
struct TransactionJSON: Encodable {
    struct Notice: Encodable {
        let url: String
        let at: String
        let status: Int?
        /// Milliseconds.
        let duration: Double
        let failure: String?
    }

    let id: String
    let platform: String
    let kind: String
    let title: String
    let user: String?
    let state: String
    let open: Bool
    let createdAt: String
    let expiresAt: String
    /// By the world's clock; nil when nothing can change any more.
    let secondsLeft: Int?
    let code: String?
    /// URL of the platform's own page.
    let page: String?
    let facts: [FactJSON]
    let actions: [String]
    let steps: [StepJSON]
    let notices: [Notice]

    /// - Parameters:
    ///   - now: the world's time.
    ///   - base: URL of the platform in this world.
    init(_ transaction: Transaction, at now: Date, base: String) {
        id = transaction.id
        platform = transaction.platform
        kind = transaction.kind
        title = transaction.title
        user = transaction.user
        state = transaction.state
        open = transaction.isOpen
        createdAt = Timestamp.text(transaction.createdAt)
        expiresAt = Timestamp.text(transaction.expiresAt)
        secondsLeft = transaction.secondsLeft(at: now)
        code = transaction.code
        page = transaction.page.map { base + $0 }
        facts = transaction.facts.map(FactJSON.init)
        actions = transaction.actions
        steps = transaction.steps.map(StepJSON.init)
        notices = transaction.notices.map(Notice.init)
    }
}

extension TransactionJSON.Notice {
    init(_ notice: Transaction.Notice) {
        self.init(
            url: notice.url, at: Timestamp.text(notice.at), status: notice.status,
            duration: (notice.milliseconds * 1000).rounded() / 1000, failure: notice.failure)
    }
}

extension Transaction {
    /// Seconds, rounded up, in which something can still be done to it; nil when nothing can any more.
    func secondsLeft(at now: Date) -> Int? {
        guard isOpen else { return nil }
        return min(now.seconds(until: expiresAt), 1_000_000_000)
    }
}

/// A change of state, as the API gives it.
struct StepJSON: Encodable {
    let state: String
    let at: String

    init(_ step: Transaction.Step) {
        state = step.state
        at = Timestamp.text(step.at)
    }
}

/// A line of what is known, as the API gives it.
struct FactJSON: Encodable {
    let name: String
    let value: String

    init(_ fact: ConsoleRecord.Fact) { (name, value) = (fact.name, fact.value) }
}
