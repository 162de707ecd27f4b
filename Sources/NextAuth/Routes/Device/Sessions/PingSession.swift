import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    struct Ping: Decodable {
        /// Seconds since 1970.
        let activity: Int?
    }

    /// `POST /device/v1/sessions/{id}/ping`: keeps a session alive.
    ///
    /// - Request: `{"activity"?: time of the user's last activity}`. Where the flow named an inactivity timeout, an older activity
    ///   ends the session.
    /// - Response: `200 {"state": "ACTIVE", "next": seconds}`, half of the ping time.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `SESSION_NOT_FOUND` when it has ended.
    /// - Source: ours.
    func pingSession(_ request: Request) throws -> Response {
        let next = try change(for: request) { instance, turn in
            let input = try request.json(Ping.self)
            var login = try instance.requireSession(request.parameter("id"), at: turn)
            if let seconds = input.activity {
                let activity = min(Date(timeIntervalSince1970: Double(seconds)), turn.now)
                login.activityAt = activity
                if login.isInactive(since: activity, at: turn.now) {
                    let ended = login
                    let cause = login.explanation(of: .inactivity, at: turn.now)
                    throw turn.kept(DeviceRefusal.sessionEnded(because: cause)) { turn in
                        try logins.end(ended, .inactivity, in: turn)
                    }
                }
            }
            (login.lastPingAt, login.isPingAsked) = (turn.now, false)
            try turn.update(login)
            turn.ring(about: [DeviceEvent.topic(login.instance)])
            return login.nextPingSeconds
        }
        let answer: JSONValue = ["state": "ACTIVE", "next": .integer(next)]
        return try .json(answer)
    }

}

extension NextAuth {
    /// `GET /device/v1/sessions`: the running sessions of the installation, those that pings keep alive.
    ///
    /// - Request: no body. A stub counts the call as activity of the user.
    /// - Response: `200 {"sessions": […], "time": the server's clock}`; a later ping names this time as that of the activity.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func listDeviceSessions(_ request: Request) throws -> Response {
        let answer = try look { db, _ -> JSONValue in
            [
                "sessions": try request.requireDevice(in: db).runningSessions(in: db),
                "time": .integer(services.clock.now().unixSeconds),
            ]
        }
        return try .json(answer)
    }
}
