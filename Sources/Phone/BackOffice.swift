import PlatformKit

/// What somebody at the console does for a user who enrols: records are made, looked at and changed, as on the page of devices.
package struct BackOffice: Sendable {
    let platform: any Section.Type
    let world: World

    /// - Returns: the id.
    func make(_ kind: String, _ inputs: [String: String]) throws -> String {
        guard let maker = world.ask(platform, (any MakesRecords).self) else {
            throw RecordRefusal.kindUnknown(kind, known: [])
        }
        return try maker.makeRecord(kind, inputs)
    }

    func record(_ id: String) throws -> ConsoleRecord? {
        try world.ask(platform, (any KeepsRecords).self)?.record(id)
    }

    func perform(_ action: String, onRecord id: String) throws {
        guard let keeper = world.ask(platform, (any KeepsRecords).self) else {
            throw RecordRefusal.unknown(id)
        }
        try keeper.perform(action, onRecord: id, [:])
    }

    /// The newest mail with a code that went to an address, as the outbox shows it.
    func newestMail(to address: String) throws -> Message? {
        var query = OutboxStore.Query()
        (query.to, query.hasCode) = (address, true)
        return try world.outbox.newest(query)?.message
    }
}
