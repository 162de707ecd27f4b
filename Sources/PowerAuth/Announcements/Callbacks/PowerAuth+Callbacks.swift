import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Tells back ends of changes, after the transaction that made them.
extension PowerAuth {
    /// One event with the address that it goes to.
    private struct Delivery: Sendable {
        let callback: RegisteredCallback
        let event: CallbackEvent
    }

    func callBack(about news: [News]) throws {
        if try database.read({ try !$0.exists(RegisteredCallback.self, where: "is_enabled = 1") }) { return }
        let now = services.clock.now()
        let deliveries = try database.write { db in
            let isISO8601 = try settings(in: db).callbackTimes == "iso8601"
            return try news.flatMap { item in
                try receivers(of: item, in: db).map { callback in
                    let body = CallbackBody(callback: callback, isISO8601: isISO8601)
                    return try record(body.json(of: item, at: now), for: callback, at: now, in: db)
                }
            }
        }
        for delivery in deliveries {
            if delivery.event.state == .failed { noteBroken(delivery) } else { send(delivery) }
        }
    }

    private func receivers(of item: News, in db: Connection) throws -> [RegisteredCallback] {
        switch item {
        case .activation(let activation):
            try RegisteredCallback.all(of: activation.application, in: db).filter { $0.kind == .registration }
        case .operation(let operation), .operationCreated(let operation, _):
            try operation.applications.unique.flatMap { try RegisteredCallback.all(of: $0, in: db) }
                .filter { $0.kind == .operation }
        case .push: []
        }
    }

    private func record(
        _ body: JSONValue, for callback: RegisteredCallback, at now: Date, in db: Connection
    ) throws -> Delivery {
        let isBroken = try CallbackHealth.of(callback.id, in: db).isBroken(at: now)
        let event = CallbackEvent(
            id: services.entropy.uuid(for: "powerauth.callback-event"), callback: callback.id,
            body: body, state: isBroken ? .failed : .processing,
            failure: isBroken ? "the circuit breaker of the callback is open" : nil, createdAt: now,
            changedAt: now)
        try db.insert(event)
        let retention = ISODuration(callback.retentionPeriod)?.seconds ?? 30 * 86_400
        let completed = CallbackEvent.State.completed.rawValue
        try db.delete(
            CallbackEvent.self,
            where: "callback = \(callback.id) AND state = \(completed) AND changed_at < \(now - retention)")
        return Delivery(callback: callback, event: event)
    }

    private func noteBroken(_ delivery: Delivery) {
        services.journal.event(
            "callback failed",
            "The callback \"\(delivery.callback.name)\" to \(delivery.callback.url) was not called: it failed "
                + "\(CallbackHealth.failureLimit) times or more one after the other, and rests for "
                + "\(Int(CallbackHealth.breakSeconds)) s after the last failure.")
    }

    /// Source: PowerAuth documentation, callbacks: any 2xx is a success; a response may take 60 s.
    private func send(_ delivery: Delivery) {
        let (registered, event) = (delivery.callback, delivery.event)
        var headers: Headers = ["Content-Type": "application/json", "Idempotency-Key": event.id]
        let authentication = registered.authentication
        if let basic = authentication.httpBasic, basic.enabled {
            let proof = "\(basic.username ?? ""):\(basic.password ?? "")"
            headers["Authorization"] = "Basic " + Base64.encode(Array(proof.utf8))
        }
        var callback = Callback(
            url: registered.url, headers: headers, body: event.body.bytes,
            purpose: "callback \"\(registered.name)\"")
        callback.retry = RetryRule(
            pauses: registered.pauses, attemptLimit: registered.maxAttempts, timeout: 60,
            retriesEveryStatus: true)
        if let oauth = authentication.oauth2, oauth.enabled {
            callback.prepare = { call in
                call.headers["Authorization"] = "Bearer " + (try accessToken(oauth, of: registered.id))
            }
        }
        callback.outcome = { attempt in try record(attempt, of: event, to: registered.id) }
        services.callbacks.send(callback)
    }

    private func record(_ attempt: CallbackAttempt, of event: CallbackEvent, to callback: String) throws {
        let now = services.clock.now()
        try database.write { db in
            guard var event = try db.first(CallbackEvent.self, where: "id = \(event.id)") else { return }
            let isDelivered = attempt.failure == nil
            event.state = isDelivered ? .completed : attempt.isLast ? .failed : .pending
            event.attempts = attempt.number
            (event.status, event.failure, event.changedAt) = (attempt.status, attempt.failure, now)
            try db.update(event)
            try CallbackHealth.note(success: isDelivered, of: callback, at: now, in: db)
            // A token that the receiver does not take is not shown again.
            if attempt.status == Status.unauthorized.code {
                try CallbackHealth.setToken(nil, until: nil, of: callback, in: db)
            }
        }
    }
}

extension CallbackBody {
    fileprivate func json(of item: News, at now: Date) -> JSONValue {
        switch item {
        case .activation(let activation): json(of: activation)
        case .operation(let operation), .operationCreated(let operation, _): json(of: operation, at: now)
        case .push: .null
        }
    }
}
