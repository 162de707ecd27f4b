import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// Seconds that a long poll may take.
    private static let longestWait = 60

    /// `GET /device/v1/events?since=N&wait=SECONDS`: what the device is told, waiting for the next one where there is none.
    ///
    /// - Request: no body; `since` is the last number that the device knows, `wait` at most 60. Or the opening of a WebSocket with
    ///   `Sec-WebSocket-Protocol: device, TOKEN` in the place of the authorization: each frame is such a response, the first comes at
    ///   once.
    /// - Response: `200 {"events": [{"seq", "type", …}], "last": N}`. Types: `PING`, `SESSION_STOP`, `ACCOUNT_DELETED`,
    ///   `ACCOUNT_UPDATED`, `SERVER_UPDATED`, `MESSAGE`. Of each device the newest 1,000 are kept.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`.
    /// - Source: ours.
    func waitForEvents(_ request: Request) throws -> Response {
        let since = try number("since", of: request)
        if request.asksForWebSocket { return try openFeed(request, since: since) }
        let instance = try database.read { try request.requireDevice(in: $0) }.id
        let seconds = min(try number("wait", of: request), Self.longestWait)
        return try services.changes.occasion(about: DeviceEvent.topic(instance)).answer(
            within: Double(seconds)
        ) { _ in
            let found = try newEvents(of: instance, since: since)
            return Look(
                found.isEmpty ? nil : found,
                untilNext: found.isEmpty && seconds > 0 ? try secondsUntilNext(of: instance) : .infinity)
        } with: { found in
            try .json(eventsView(found ?? [], of: instance))
        }
    }

    /// Seconds until time alone ends a session of the device or asks for a ping, without anybody's doing.
    private func secondsUntilNext(of instance: String) throws -> Double {
        let now = services.clock.now()
        let seconds = try database.read { try DeviceSession.running(of: instance, in: $0) }
            .compactMap(\.nextMoment).map { $0.timeIntervalSince(now) }
        // What is due is written down when the moment has passed, not when it is there; a frozen clock may stay there for long.
        return seconds.min().map { $0 > 0 ? $0 + 0.01 : 1 } ?? .infinity
    }

    private func openFeed(_ request: Request, since number: Int) throws -> Response {
        let offered = request.headers.values(of: "Sec-WebSocket-Protocol").joined(separator: ",")
            .split(separator: ",").map { $0.filter { $0 != " " } }
        guard offered.first == Self.subprotocol, offered.count == 2 else { throw DeviceRefusal.tokenMissing }
        let instance = try database.read { try Instance.require(token: offered[1], in: $0) }
        for subject in instance.subjects { services.journal.concern(subject) }
        let feed = EventFeed(self, instance: instance.id, since: number)
        return try request.webSocket(
            protocols: [Self.subprotocol], requiresProtocol: true, opened: { try feed.open($0) },
            received: { _, _ in }, closed: { _, _ in feed.close() })
    }

    private static let subprotocol = "device"

    private func number(_ name: String, of request: Request) throws -> Int {
        guard let text = request.queryItems[name] else { return 0 }
        guard let number = Int(text), number >= 0 else {
            throw DeviceRefusal.malformed(
                "The parameter “\(name)” is “\(text.prefix(40))”, expected a whole number.")
        }
        return number
    }

    /// What the device has not heard yet, as of now.
    func newEvents(of instance: String, since number: Int) throws -> [DeviceEvent] {
        try askForPings(of: instance)
        return try look { db, _ in try DeviceEvent.all(of: instance, after: number, in: db) }
    }

    func eventsView(_ found: [DeviceEvent], of instance: String) throws -> JSONValue {
        let last = try database.read { try DeviceEvent.last(of: instance, in: $0) }
        return ["events": .array(found.map(\.json)), "last": .integer(last)]
    }

    /// Reminds a device that listens of pings that are due.
    func askForPings(of instance: String) throws {
        let isDue = try look { db, now in
            try DeviceSession.running(of: instance, in: db).contains { $0.wantsPing(at: now) }
        }
        guard isDue else { return }
        try change { turn in
            for var login in try DeviceSession.running(of: instance, in: turn.db)
            where login.wantsPing(at: turn.now) {
                login.isPingAsked = true
                try turn.update(login)
                try announcements.tell(instance, .ping, ["sessionid": .string(login.id)], in: turn)
            }
        }
    }
}
