import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// Codes of text messages, which come back through the portal.
extension MobileTransactions {
    /// - Throws: ``PortalFault``; a wrong code stays counted.
    func verifySMS(_ code: String, of id: String, by user: String, _ request: Request) throws {
        try world.change { turn in try verify(code, of: id, by: user, request, turn) }
    }

    /// Sends the same code again.
    func resendSMS(of id: String, to user: String) throws {
        try world.change { turn in
            var transaction = try openSMS(id, of: user, in: turn.db)
            let limit = settings.type(transaction.type)?.maxResends ?? 0
            guard transaction.resends < limit else {
                throw PortalFault.resendLimitReached(limit, type: transaction.type)
            }
            transaction.resends.increment()
            try turn.update(transaction)
            try deliver(transaction, turn)
        }
    }

    /// - Throws: ``PortalFault/smsDisabled``
    func requireSMS() throws {
        guard settings.types.contains(where: { $0.method == .sms }) else { throw PortalFault.smsDisabled }
    }

    private func verify(
        _ code: String, of id: String, by user: String, _ request: Request, _ turn: Turn
    ) throws {
        var transaction = try openSMS(id, of: user, in: turn.db)
        let isRight = constantTimeEqual(Array(code.utf8), Array((transaction.smsCode ?? "").utf8))
        let limit = settings.type(transaction.type)?.maxAttempts ?? 0
        if isRight {
            if let number = transaction.phoneNumber { try turn.spend(code: code, sentTo: number) }
            transaction.end(.authenticated, at: turn.now, settings)
        } else {
            transaction.countWrongCode(limit: limit, at: turn.now, settings)
        }
        let settle = { [transaction] (turn: Turn) in
            try keep(transaction, turn)
            try turn.insert(
                Event(
                    isRight ? .mobileAuthAuthenticated : .mobileAuthNotAuthenticated, subject: user,
                    transactionID: id, request,
                    registry.services))
        }
        guard isRight else {
            throw turn.kept(PortalFault.codeWrong(Self.reason(transaction, limit: limit)), settle)
        }
        try settle(turn)
    }

    private static func reason(_ transaction: MobileTransaction, limit: Int) -> String {
        let count = limit == 0 ? "which is never too many" : "of \(limit)"
        return "The code is not the one that was sent: wrong code \(transaction.attempts), \(count)"
            + (transaction.stored.isOpen ? "." : "; with it the transaction has failed.")
    }

    /// The transaction of `user` that waits for a code.
    private func openSMS(_ id: String, of user: String, in db: Connection) throws -> MobileTransaction {
        let now = registry.now
        guard let transaction = try db.mobileTransaction(id, at: now) else {
            throw PortalFault.transactionUnknown(
                id, "is unknown in this world, or ended more than a day ago")
        }
        guard transaction.method == .sms else {
            throw PortalFault.transactionUnknown(
                id, "is of method \(transaction.method.rawValue), and has no code from a text message")
        }
        guard transaction.subject == user else { throw PortalFault.userWrong(user, transaction: id) }
        let state = transaction.state(at: now)
        guard state.isOpen else {
            throw PortalFault.transactionUnknown(id, "no longer waits for a code: it is \(state.rawValue)")
        }
        return transaction
    }
}
