import Essentials
import PlatformKit
import SQLite

// Does to a record what a back end or the vendor's console would do.
extension NextAuth {
    func change(serverWithID id: String, _ inputs: [String: String], in turn: Turn) throws {
        guard var server = try Server.find(id, in: turn.db) else { throw RecordRefusal.unknown(id) }
        server.pingTime = try number("ping_time", inputs, from: 0) ?? server.pingTime
        server.pinTimeout = try number("pin_timeout", inputs, from: -1) ?? server.pinTimeout
        server.pinTransTimeout = try number("pin_trans_timeout", inputs, from: -1) ?? server.pinTransTimeout
        try turn.update(server)
        try announcements.tellUpdate(of: server, in: turn)
    }

    private func number(_ name: String, _ inputs: [String: String], from least: Int) throws -> Int? {
        guard let text = inputs[name] else { return nil }
        let most = 31_536_000
        guard let number = Int(text), least...most ~= number else {
            throw RecordRefusal.inputWrong(
                "The value “\(name)” is “\(text.prefix(40))”, expected a whole number from \(least) to \(most)."
            )
        }
        return number
    }

    func perform(_ verb: RecordAction, onAccount key: String, in turn: Turn) throws {
        guard let account = try Int(key).flatMap({ try Account.find($0, in: turn.db) }) else {
            throw RecordRefusal.unknown(key)
        }
        if verb == .delete { return try accounts.remove(account, in: turn) }
        _ = try accounts.setBlocked(verb == .block, account, in: turn)
    }

    func perform(_ verb: RecordAction, onDevice key: String, in turn: Turn) throws {
        guard var instance = try Instance.find(key, in: turn.db) else { throw RecordRefusal.unknown(key) }
        if verb == .wipe { return try accounts.wipe(instance, in: turn) }
        instance.factor.failures = 0
        try turn.update(instance)
        turn.note(
            "PIN unlocked", about: instance.name ?? instance.id,
            "The PIN of the device \(instance.name ?? instance.id) has all its tries again.")
    }

    func perform(_ verb: RecordAction, onSession key: String, in turn: Turn) throws {
        guard let login = try DeviceSession.find(key, in: turn.db), login.endedAt == nil else {
            throw RecordRefusal.unknown(key)
        }
        try logins.end(login, verb == .missPing ? .pingTimeout : .administrator, in: turn)
    }
}
