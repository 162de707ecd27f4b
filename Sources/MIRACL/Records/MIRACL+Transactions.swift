import Essentials
package import PlatformKit
import SQLite

/// What browsers and back ends wait for. Nobody but the phone can prove the PIN, so that it can only be refused here.
extension MIRACL: HoldsTransactions {
    package func newestTransactions(_ limit: Int) throws -> [Transaction] {
        let now = now
        return try database.read { db in
            try db.all(AccessSession.self).suffix(limit).reversed().map { session in
                let project = try projects.find(session.projectID, in: db)
                return SessionView(session: session, project: project, now: now).transaction
            }
        }
    }

    package func countOpenTransactions() throws -> Int {
        let now = now
        return try database.read { try AccessSession.countLive(at: now, in: $0) }
    }

    package func decide(_ action: String, on transactionID: String) throws {
        let now = now
        let session = try database.read { db in try AccessSession.find(transactionID, in: db) }
        guard let session else { throw TransactionRefusal.unknown(transactionID) }
        guard let action = SessionView.Action(rawValue: action) else {
            throw TransactionRefusal.actionUnknown(
                action, known: SessionView.Action.allCases.map(\.rawValue))
        }
        guard session.isLive(at: now) else {
            let view = SessionView(session: session, project: nil, now: now)
            throw TransactionRefusal.tooLate(action.rawValue, state: view.state)
        }
        try apply(action, toSession: transactionID)
    }
}

extension SessionView {
    fileprivate var transaction: Transaction {
        Transaction(
            id: session.accessID, kind: kind,
            title: title, user: session.userID ?? session.prerollID, state: state,
            isOpen: session.isLive(at: now), createdAt: session.createdAt, expiresAt: session.expiresAt,
            code: code,
            page: session.authorization == nil ? nil : "/authorize/wait/" + session.webOTT, facts: facts,
            actions: session.isLive(at: now) ? Action.allCases.map(\.rawValue) : [],
            steps: [Transaction.Step("new", at: session.createdAt)])
    }

    private var kind: String {
        session.hash != nil ? "signature" : session.registerOnly ? "registration" : "login"
    }
}
