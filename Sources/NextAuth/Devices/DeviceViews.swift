import Essentials
import PlatformKit
import SQLite

// What the device protocol shows of accounts, sessions and installations.

extension Account {
    var deviceView: JSONValue {
        [
            "accountid": .integer(id), "serverid": .string(Server.urlSafe(server)), "username": .string(name),
            "userid": user.map(JSONValue.string) ?? .null, "description": .string(description),
            "blocked": .boolean(isBlocked), "headless": .boolean(isHeadless),
            "created": .integer(createdAt.unixSeconds),
            "lastlogin": lastLoginAt.map { .integer($0.unixSeconds) } ?? .null,
        ]
    }
}

extension DeviceSession {
    func deviceView(of account: Account) -> JSONValue {
        [
            "sessionid": .string(id), "type": .string(type.rawValue), "hsid": .string(hsid),
            "webnonce": webNonce.map(JSONValue.string) ?? .null, "username": .string(account.name),
            "userid": account.user.map(JSONValue.string) ?? .null, "accountid": .integer(account.id),
            "serverid": .string(Server.urlSafe(server)), "pingTime": .integer(pingTime),
            "expires": appLoginDeadline.map { .integer($0.unixSeconds) } ?? .null,
            "applogin": .boolean(isAppLogin), "oneshot": .boolean(pingTime == 0),
        ]
    }
}

extension PushMessage {
    var deviceView: JSONValue {
        [
            "messageid": .string(id), "type": .string(kind.rawValue),
            "serverid": .string(Server.urlSafe(server)), "hsid": hsid.map(JSONValue.string) ?? .null,
            "accountid": .integer(account), "announceinfo": announceInfo ?? .null,
            "created": .integer(createdAt.unixSeconds), "expires": .integer(expiresAt.unixSeconds),
        ]
    }
}

extension SignTransaction {
    var deviceView: JSONValue {
        [
            "tid": .string(id), "amount": amount.map(JSONValue.string) ?? .null,
            "benificiary": benificiary.map(JSONValue.string) ?? .null,
            "description": description.map(JSONValue.string) ?? .null,
        ]
    }
}

extension SecondFactor {
    func deviceView(tries: Int, cachedUntil: Date?) -> JSONValue {
        [
            "pin": .string(state(tries: tries).rawValue), "triesleft": .integer(triesLeft(of: tries)),
            "biometric": .boolean(biometricKey != nil),
            "cacheduntil": cachedUntil.map { .integer($0.unixSeconds) } ?? .null,
        ]
    }
}

extension Instance {
    /// With its accounts and running sessions.
    func deviceView(_ settings: Settings, in db: Connection) throws -> JSONValue {
        let own = try Account.all(ofInstance: id, in: db)
        return [
            "instanceid": .string(id), "platform": .string(platform.rawValue),
            "clientVersion": .string(clientVersion),
            "name": name.map(JSONValue.string) ?? .null,
            "pushtoken": pushToken.map(JSONValue.string) ?? .null,
            "secondfactor": factor.deviceView(
                tries: settings.tries, cachedUntil: try cachedUntil(own, in: db)),
            "accounts": .array(own.map(\.deviceView)),
            "sessions": try runningSessions(in: db),
        ]
    }

    /// Those that are kept alive by pings; a one-shot login is none.
    func runningSessions(in db: Connection) throws -> JSONValue {
        .array(
            try DeviceSession.running(of: id, in: db).filter { $0.pingTime > 0 }.compactMap {
                login in
                try Account.find(login.account, in: db).map(login.deviceView(of:))
            })
    }

    /// Until when no login asks for a second factor; nil where each does, or none.
    private func cachedUntil(_ own: [Account], in db: Connection) throws -> Date? {
        guard let verified = factor.verifiedAt else { return nil }
        let minutes = try own.compactMap { try Server.find($0.server, in: db)?.pinTimeout }.max() ?? 0
        return minutes > 0 ? verified + Double(minutes) * 60 : nil
    }
}
