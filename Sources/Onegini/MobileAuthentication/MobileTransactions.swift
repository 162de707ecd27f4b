import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// The life of mobile authentication transactions: what is sent to the user, and what the portal is told.
struct MobileTransactions: Sendable {
    let registry: DeviceRegistry
    let settings: MobileAuthenticationSettings

    var world: World { registry.world }

    init(_ registry: DeviceRegistry, _ settings: MobileAuthenticationSettings) {
        (self.registry, self.settings) = (registry, settings)
    }

    /// Writes a transaction that changed, and tells the portal of its end.
    func keep(_ transaction: MobileTransaction, _ turn: Turn) throws {
        try turn.update(transaction)
        if !transaction.stored.isOpen { announce(transaction, turn) }
    }

    /// Tells the portal that a transaction has ended, when that is to be done now. Call it in the turn that
    /// ended it, with what was written.
    func announce(_ transaction: MobileTransaction, _ turn: Turn) {
        switch transaction.callback {
        case .queued: turn.call(callback(transaction))
        case .held:
            turn.note(
                "callback held", about: transaction.subject,
                "The callback of transaction \(transaction.id) waits: onegini.mobile_authentication.hold_callbacks is true. "
                    + "The action “release” sends it.")
        default: break
        }
    }

    /// Source: mobile authentication API v4, “callback”; the rule of retries is *assumed*.
    private func callback(_ transaction: MobileTransaction) -> Callback {
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
            pauses: [1, 2, 4], attemptLimit: settings.callbackRetries.adding(1), timeout: 5,
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
                    subject: transaction.subject, transactionID: transaction.id, nil, world.services))
        }
    }

    /// Where the settings ask for it, an expiry is a result that the portal is told of, found out when anybody asks.
    func noticeExpiry(of transaction: MobileTransaction) throws {
        guard settings.callsBackOnExpiry, transaction.callback == nil, !transaction.callbackURI.isEmpty,
            transaction.state(at: registry.now) == .expired
        else { return }
        try world.change { turn in
            guard var current = try turn.db.mobileTransaction(transaction.id, at: turn.now),
                current.callback == nil, current.state(at: turn.now) == .expired
            else { return }
            current.callback = settings.holdsCallbacks ? .held : .queued
            try turn.update(current)
            announce(current, turn)
        }
    }
}

// MARK: - Messages

extension MobileTransactions {
    /// Sends the text message or the push of a transaction; nothing for OTP.
    func deliver(_ transaction: MobileTransaction, _ turn: Turn) throws {
        if transaction.method == .sms { return try deliverSMS(transaction, turn) }
        if transaction.method.isPush { try deliverPush(transaction, turn) }
    }

    /// `{code}` in the message becomes the code; a message without it is not sent. Source: topic “SMS authentication”.
    private func deliverSMS(_ transaction: MobileTransaction, _ turn: Turn) throws {
        guard let code = transaction.smsCode, let number = transaction.phoneNumber else { return }
        let text =
            transaction.message.contains("{code}")
            ? transaction.message.replacing("{code}", with: code) : code
        let sender = settings.type(transaction.type)?.senderID ?? "Understudy"
        try turn.send(
            Message(
                .sms, kind: "sms", from: Message.Address(sender), to: Message.Address(number), subject: "",
                text: text, code: code, expiresAt: transaction.expiresAt, source: Vendor.name))
    }

    /// What is secret does not go through a push service. Source: the SDK's documentation, `og_transaction_id`.
    private func deliverPush(_ transaction: MobileTransaction, _ turn: Turn) throws {
        guard let clientID = transaction.clientID, let profileID = transaction.profileID else { return }
        let token = try turn.db.enrollment(of: profileID, on: clientID)?.pushToken
        let device = try turn.db.device(clientID)?.name
        // The enrollment may have gone since the route was found; then nobody gets the push, as in life.
        guard let token else { return }
        let content: JSONValue = [
            "og_transaction_id": .string(transaction.id), "og_profile_id": .string(profileID),
            "message": .string(transaction.message),
        ]
        try turn.send(
            Message(
                .push, kind: "push", from: Message.Address("Understudy"),
                to: Message.Address(token, name: device), subject: transaction.message, text: content.text,
                expiresAt: transaction.expiresAt, source: Vendor.name))
    }
}
