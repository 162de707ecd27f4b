import Essentials
import HTTP
import PlatformKit
import SQLite

extension Onegini {
    /// Tells the portal that a transaction has ended, when that is to be done now. Call it in the turn that
    /// ended it, with what was written.
    func announce(
        _ transaction: MobileTransaction, _ settings: MobileAuthenticationSettings, _ turn: Turn
    ) {
        switch transaction.callback {
        case .queued: turn.call(callback(transaction, settings))
        case .held:
            turn.note(
                "callback held", about: transaction.subject,
                "The callback of transaction \(transaction.id) waits: onegini.mobile_authentication.hold_callbacks is true. "
                    + "The action \"release\" sends it.")
        default: break
        }
    }

    /// Source: mobile authentication API v4, «callback»; the rule of retries is *assumed*.
    private func callback(
        _ transaction: MobileTransaction, _ settings: MobileAuthenticationSettings
    ) -> Callback {
        var headers: Headers = ["Content-Type": "application/json;charset=UTF-8"]
        if let receiver = settings.receiver(transaction.callbackURI), let user = receiver.username {
            headers["Authorization"] = BasicCredentials(name: user, password: receiver.password ?? "").header
        }
        let body: JSONValue = [
            "callback_uri": .string(transaction.callbackURI), "transaction_id": .string(transaction.id),
        ]
        var callback = Callback(
            url: transaction.callbackURI, headers: headers, body: body.bytes,
            purpose: "the result of transaction \(transaction.id)")
        callback.retry = RetryRule(
            pauses: [1, 2, 4], attemptLimit: settings.callbackRetries + 1, timeout: 5,
            retriesEveryStatus: true)
        callback.outcome = { attempt in try record(attempt, of: transaction) }
        return callback
    }

    private func record(_ attempt: CallbackAttempt, of transaction: MobileTransaction) throws {
        try world.change { turn in
            // The world may have been reset since the callback was queued.
            var found = try turn.first(MobileTransaction.self, where: "id = \(transaction.id)")
            if found != nil {
                try turn.insert(
                    CallbackRecord(
                        transactionID: transaction.id, url: transaction.callbackURI, status: attempt.status,
                        milliseconds: attempt.milliseconds, failure: attempt.failure, at: turn.now))
            }
            guard attempt.isLast else { return }
            let isDelivered = attempt.failure == nil
            found?.callback = isDelivered ? .delivered : .failed
            if let found { try turn.update(found) }
            try turn.insert(
                Event(
                    isDelivered ? .pushAuthCallbackSent : .pushAuthCallbackFailed,
                    subject: transaction.subject, transactionID: transaction.id, nil, services))
        }
    }

    /// Where the settings ask for it, an expiry is a result that the portal is told of, found out when anybody asks.
    func noticeExpiry(
        of transaction: MobileTransaction, _ settings: MobileAuthenticationSettings
    ) throws {
        let now = services.clock.now()
        guard settings.callsBackOnExpiry, transaction.callback == nil, !transaction.callbackURI.isEmpty,
            transaction.state(at: now) == .expired
        else { return }
        try world.change { turn in
            guard var current = try turn.db.mobileTransaction(transaction.id, at: now),
                current.callback == nil, current.state(at: now) == .expired
            else { return }
            current.callback = settings.holdsCallbacks ? .held : .queued
            try turn.update(current)
            announce(current, settings, turn)
        }
    }
}
