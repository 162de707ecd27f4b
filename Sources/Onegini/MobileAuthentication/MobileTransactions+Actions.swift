import Essentials
import OpenID
import PlatformKit
import SQLite

// What developers do to them in the place of a device.
extension MobileTransactions {
    /// Characters of a secure message that the console and the control API show. It may have millions, and a hundred of those would not fit
    /// into a small container.
    static let shownLength = 2000

    /// Newest first, at most so many.
    func shown(_ limit: Int) throws -> [Transaction] {
        let now = registry.now
        let found = try world.database.read { db in
            try db.all(
                MobileTransaction.self, where: "gone_at > \(now)", order: "position DESC", limit: limit,
                making: { $0.shortened(to: Self.shownLength) }
            ).map { ($0, try db.all(CallbackRecord.self, where: "transaction_id = \($0.id)")) }
        }
        for (transaction, _) in found { try noticeExpiry(of: transaction) }
        return found.map { $0.shown(at: now, told: $1) }
    }

    func countOpen() throws -> Int {
        let now = registry.now
        let open = MobileTransactionState.allCases.filter(\.isOpen).map(\.rawValue)
        return try world.database.read { db in
            try open.reduce(0) { count, state in
                try count
                    + db.count(
                        MobileTransaction.self, where: "state = \(state) AND expires_at > \(now)")
            }
        }
    }

    func decide(_ action: String, on transactionID: String) throws {
        try world.change { turn in
            guard var transaction = try turn.db.mobileTransaction(transactionID, at: turn.now) else {
                throw TransactionRefusal.unknown(transactionID)
            }
            try apply(TransactionAction(action, to: transaction, at: turn.now), to: &transaction, turn)
            try turn.update(transaction)
            announce(transaction, turn)
        }
    }

    private func apply(
        _ action: TransactionAction, to transaction: inout MobileTransaction, _ turn: Turn
    ) throws {
        let now = turn.now
        switch action {
        case .release: transaction.callback = .queued
        case .expire:
            transaction.expire(at: now)
            if settings.callsBackOnExpiry, !transaction.callbackURI.isEmpty {
                transaction.callback = settings.holdsCallbacks ? .held : .queued
            }
        case .fail(let reason): transaction.end(.failed, reason, at: now, settings)
        case .confirm(let user):
            guard transaction.signingData == nil else {
                throw TransactionRefusal.impossible(
                    "The transaction has data to sign, which only the device's own key can do: answer with a device."
                )
            }
            try findUser(user, for: &transaction, at: now, in: turn.db)
            transaction.end(.authenticated, at: now, settings)
        case .deny(let user):
            try findUser(user, for: &transaction, at: now, in: turn.db)
            transaction.end(.denied, .notAccepted, at: now, settings)
        }
        guard let event = action.event else { return }
        try turn.insert(
            Event(event, subject: transaction.subject, transactionID: transaction.id, nil, registry.services))
    }

    /// Who acts, where that is not known: the user that is named, or else the one who enrolled first.
    private func findUser(
        _ name: String?, for transaction: inout MobileTransaction, at now: Date, in db: Connection
    ) throws {
        if let known = transaction.subject {
            guard try name.map({ try subject($0, in: db) == known }) ?? true else {
                throw TransactionRefusal.impossible(
                    "The transaction belongs to “\(known)” already; no other user can answer it.")
            }
            return
        }
        let enrolled = try db.all(Enrollment.self)
        if let name {
            guard let subject = try subject(name, in: db) else {
                throw TransactionRefusal.impossible("There is no user “\(name)” in this world.")
            }
            transaction.subject = subject
        } else {
            guard let first = enrolled.first else {
                throw TransactionRefusal.impossible(
                    "No user is enrolled for mobile authentication; say who acts, as in “confirm:ada”.")
            }
            transaction.subject = first.subject
        }
        let device = enrolled.first { $0.subject == transaction.subject }
        (transaction.clientID, transaction.profileID) = (device?.clientID, device?.profileID)
        transaction.fetchedAt = now
    }

    /// By `sub`, or by the name that is typed at the login page.
    private func subject(_ name: String, in db: Connection) throws -> String? {
        if try registry.knows(name, in: db) { return name }
        return try registry.server.users.find(username: name, in: db)?.subject
    }
}
