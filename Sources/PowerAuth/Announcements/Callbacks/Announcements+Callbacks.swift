import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension Announcements {
    /// Tells the addresses of these applications that want to hear of such things.
    func callBack(
        _ kind: CallbackKind, for applications: [String], in turn: Turn, _ tell: (CallbackBody) -> JSONValue
    ) throws {
        let receivers = try applications.flatMap { try RegisteredCallback.all(of: $0, in: turn.db) }
            .filter { $0.kind == kind }
        guard !receivers.isEmpty else { return }
        let isISO8601 = try world.settings(in: turn.db).callbackTimes == "iso8601"
        for receiver in receivers {
            try call(receiver, tell(CallbackBody(callback: receiver, isISO8601: isISO8601)), in: turn)
        }
    }

    private func call(_ receiver: RegisteredCallback, _ body: JSONValue, in turn: Turn) throws {
        let isBroken = try CallbackHealth.of(receiver.id, in: turn.db).isBroken(at: turn.now)
        let event = CallbackEvent(
            id: world.services.entropy.uuid(for: "powerauth.callback-event"), callback: receiver.id,
            body: body, state: isBroken ? .failed : .processing,
            failure: isBroken ? "the circuit breaker of the callback is open" : nil, createdAt: turn.now,
            changedAt: turn.now)
        try turn.insert(event)
        let retention = ISODuration(receiver.retentionPeriod)?.seconds ?? 30 * 86_400
        let completed = CallbackEvent.State.completed.rawValue
        try turn.db.delete(
            CallbackEvent.self,
            where:
                "callback = \(receiver.id) AND state = \(completed) AND changed_at < \(turn.now - retention)")
        guard isBroken else { return turn.call(callback(event, to: receiver)) }
        turn.note(
            "callback failed",
            "The callback “\(receiver.name)” to \(receiver.url) was not called: it failed "
                + "\(CallbackHealth.failureLimit) times or more one after the other, and rests for "
                + "\(Int(CallbackHealth.breakSeconds)) s after the last failure.")
    }

    /// Source: PowerAuth documentation, callbacks: any 2xx is a success; a response may take 60 s.
    private func callback(_ event: CallbackEvent, to receiver: RegisteredCallback) -> Callback {
        var headers: Headers = ["Content-Type": "application/json", "Idempotency-Key": event.id]
        let authentication = receiver.authentication
        if let basic = authentication.httpBasic, basic.enabled {
            let proof = "\(basic.username ?? ""):\(basic.password ?? "")"
            headers["Authorization"] = "Basic " + Base64.encode(Array(proof.utf8))
        }
        var callback = Callback(
            url: receiver.url, headers: headers, body: event.body.bytes,
            purpose: "callback “\(receiver.name)”")
        callback.retry = RetryRule(
            pauses: receiver.pauses, attemptLimit: receiver.maxAttempts, timeout: 60,
            retriesEveryStatus: true)
        if let oauth = authentication.oauth2, oauth.enabled {
            callback.prepare = { call in
                call.headers["Authorization"] = "Bearer " + (try accessToken(oauth, of: receiver.id))
            }
        }
        callback.outcome = { attempt in try record(attempt, of: event.id, to: receiver.id) }
        return callback
    }

    private func record(_ attempt: CallbackAttempt, of event: String, to callback: String) throws {
        try world.change { turn in
            guard var event = try turn.first(CallbackEvent.self, where: "id = \(event)") else { return }
            let isDelivered = attempt.failure == nil
            event.state = isDelivered ? .completed : attempt.isLast ? .failed : .pending
            event.attempts = attempt.number
            (event.status, event.failure, event.changedAt) = (attempt.status, attempt.failure, turn.now)
            try turn.update(event)
            try CallbackHealth.note(success: isDelivered, of: callback, at: turn.now, in: turn.db)
            // A token that the receiver does not take is not shown again.
            if attempt.status == Status.unauthorized.code {
                try CallbackHealth.setToken(nil, until: nil, of: callback, in: turn.db)
            }
        }
    }
}

// MARK: - Access tokens

/// No token for a receiver: why, for the middle of a sentence.
struct AccessTokenRefused: Error, CustomStringConvertible {
    let description: String
}

extension Announcements {
    /// An access token for a receiver, kept until it expires. Source: RFC 6749 §4.4.
    ///
    /// Never inside a transaction: it calls the authorization server.
    private func accessToken(
        _ settings: CallbackAuthentication.OAuth2, of callback: String
    ) throws -> String {
        let kept = try world.database.read {
            try CallbackHealth.of(callback, in: $0).token(at: world.services.clock.now())
        }
        if let kept { return kept }
        let (token, seconds) = try fetchToken(settings)
        try world.change { turn in
            let expiry = turn.now.adding(seconds: seconds)
            try CallbackHealth.setToken(token, until: expiry, of: callback, in: turn.db)
        }
        return token
    }

    private func fetchToken(_ settings: CallbackAuthentication.OAuth2) throws -> (String, Double) {
        guard let url = settings.tokenUri else {
            throw AccessTokenRefused(description: "its oauth2 settings have no tokenUri")
        }
        // RFC 6749 §2.3.1
        let proof = [settings.clientId, settings.clientSecret].map { ($0 ?? "").percentEncoded }
        var form = [(name: "grant_type", value: "client_credentials")]
        if let scope = settings.scope, !scope.isEmpty { form.append((name: "scope", value: scope)) }
        let response = try world.services.web.send(
            .post, url,
            [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": "Basic " + Base64.encode(Array(proof.joined(separator: ":").utf8)),
            ], Array(Form.encode(form).utf8))
        guard response.status == .ok, let body = try? JSONValue(parsing: response.bytes),
            let token = body["access_token"]?.string
        else {
            throw AccessTokenRefused(
                description: "\(url) gave no access token; it answered \(response.status.code) "
                    + "\(response.status.reason)")
        }
        // RFC 6749 §5.1 recommends the member; without it the token is used once.
        return (token, Double(body["expires_in"]?.integer ?? 0))
    }
}
