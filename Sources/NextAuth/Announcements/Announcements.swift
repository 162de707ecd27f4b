import Essentials
import PlatformKit
import SQLite

/// Tells devices and browsers what became true, in the turn that makes it so; whoever waits is woken after it.
struct Announcements: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// Appends an event to what a device is told; a device that is gone is told nothing.
    func tell(
        _ instance: String, _ kind: DeviceEvent.Kind, _ members: [String: JSONValue], in turn: Turn
    ) throws {
        guard try turn.db.exists(Instance.self, where: "id = \(instance)") else { return }
        let number = try DeviceEvent.last(of: instance, in: turn.db).adding(1)
        try DeviceEvent(
            instance: instance, number: number, kind: kind, members: members, createdAt: turn.now
        ).insert(in: turn.db)
        turn.ring(about: [DeviceEvent.topic(instance)])
    }

    /// Appends a signal for the WebSockets that watch a web session.
    func signal(_ kind: Signal.Kind, _ hsid: String, of server: String, in turn: Turn) throws {
        try Signal.add(kind, hsid, of: server, in: turn.db)
    }

    /// Leaves a push for the device of an account: a message to pull, an event that names it, and an entry of the outbox.
    ///
    /// - Parameters:
    ///   - hsid: the session that is to be logged in, or was.
    ///   - announceInfo: what the app shows before its user confirms.
    @discardableResult
    func push(
        _ kind: PushMessage.Kind, to account: Account, hsid: String? = nil, transaction: String? = nil,
        announceInfo: JSONValue? = nil, in turn: Turn
    ) throws -> PushMessage? {
        guard let instance = try Instance.find(account.instance, in: turn.db) else { return nil }
        let message = PushMessage(
            id: try freshMessageID(in: turn.db), instance: instance.id, kind: kind,
            server: account.server, hsid: hsid, account: account.id, transaction: transaction,
            announceInfo: announceInfo, createdAt: turn.now,
            expiresAt: turn.now + (try world.settings(in: turn.db)).messageLife)
        try turn.insert(message)
        try tell(instance.id, .message, ["messageid": .string(message.id)], in: turn)
        try turn.send(
            Message(
                .push, kind: "push", from: .init("nextauth", name: Vendor.title),
                to: .init(instance.pushToken ?? instance.id, name: instance.name), subject: kind.rawValue,
                text: "\(kind.rawValue) for the account \(account.id) (\(account.name))",
                expiresAt: message.expiresAt, source: Vendor.name))
        return message
    }

    private func freshMessageID(in db: Connection) throws -> String {
        try world.services.entropy.freshToken(for: "message") { try PushMessage.exists($0, in: db) }
    }

    /// Tells a device what its account is now.
    func tellUpdate(of account: Account, in turn: Turn) throws {
        try tell(
            account.instance, .accountUpdated,
            [
                "accountid": .integer(account.id), "username": .string(account.name),
                "userid": account.user.map(JSONValue.string) ?? .null, "blocked": .boolean(account.isBlocked),
            ], in: turn)
    }

    /// Tells every device with an account for the server that its parameters have changed.
    func tellUpdate(of server: Server, in turn: Turn) throws {
        let devices = Set(try Account.all(of: server.id, in: turn.db).map(\.instance))
        for device in devices.sorted() {
            try tell(device, .serverUpdated, ["serverid": .string(server.urlSafeID)], in: turn)
        }
    }
}
