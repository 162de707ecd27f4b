import HTTP
import PlatformKit

extension Console {
    /// What came of making something.
    enum Made {
        case record(ConsoleRecord)
        /// It waits for a decision.
        case transaction(Transaction)
    }

    func recordWatch(_ world: World) -> RecordWatch {
        RecordWatch(world: world, platforms: info.platforms)
    }

    /// Does an action to a record, and says in the journal what came of it.
    ///
    /// - Returns: the record as it is then; nil when it is gone.
    /// - Throws: ``ControlError``; `RecordRefusal`.
    func perform(
        _ action: String, onRecord id: String, of name: String, _ inputs: [String: String], in world: World
    ) throws -> ConsoleRecord? {
        let watch = recordWatch(world)
        guard let (before, platform) = try watch.find(id, of: name) else {
            throw noRecord(id, of: name, in: world)
        }
        let what = "the \(before.kind) \(id.shortened) of \(platform.title)"
        do {
            guard let known = before.actions.first(where: { $0.name == action }) else {
                throw RecordRefusal.actionUnknown(action.shortened, known: before.actions.map(\.name))
            }
            let inputs = try RecordInputs.checked(inputs, for: known.inputs)
            try world.acting(for: platform.name) {
                try $0.ask(platform, (any KeepsRecords).self)?.perform(action, onRecord: id, inputs)
            }
        } catch let refusal as any Refusal {
            world.services.journal.event(
                "record not changed", about: before.user,
                "The action “\(action.shortened)” was not applied to \(what). \(refusal.explanation)")
            throw Self.told(refusal)
        }
        let after = try watch.find(id, of: name)?.record
        let end = after.map { "it was \(before.state) and is \($0.state) now" } ?? "it was deleted"
        world.services.journal.event(
            "record changed", about: before.user,
            "The action “\(action.shortened)” was applied to \(what): \(end).")
        return after
    }

    /// Makes something at a platform, and says in the journal what came of it.
    ///
    /// - Throws: ``ControlError``; `RecordRefusal`.
    func make(
        _ kind: String, at platform: any Platform.Type, _ inputs: [String: String], in world: World
    ) throws -> Made {
        let id: String
        do {
            let all = try world.newRecords(of: platform)
            guard let known = all.first(where: { $0.kind == kind }) else {
                throw RecordRefusal.kindUnknown(kind.shortened, known: all.map(\.kind))
            }
            let inputs = try RecordInputs.checked(inputs, for: known.inputs)
            id = try world.acting(for: platform.name) { world in
                guard let maker = world.ask(platform, (any MakesRecords).self) else {
                    throw RecordRefusal.kindUnknown(kind.shortened, known: [])
                }
                return try maker.makeRecord(kind, inputs)
            }
        } catch let refusal as any Refusal {
            world.services.journal.event(
                "record not made",
                "No “\(kind.shortened)” was created at \(platform.title). \(refusal.explanation)"
            )
            throw Self.told(refusal)
        }
        let made: Made
        if let record = try world.record(id, of: platform) {
            made = .record(record)
        } else if let transaction = try watch(world).find(id)?.transaction {
            made = .transaction(transaction)
        } else {
            throw noRecord(id, of: platform.name, in: world)
        }
        world.services.journal.event(
            "record made", about: made.user, "The \(kind) \(id) was created at \(platform.title).")
        return made
    }

    func noRecord(_ id: String, of platform: String, in world: World) -> ControlError {
        guard let card = info.platforms.first(where: { $0.name == platform }) else {
            return .absent("There is no platform “\(platform.shortened)”, only \(platformNames).")
        }
        return .absent("\(card.title) has no record “\(id.shortened)” in the world \(world.name).")
    }

    /// - Throws: ``ControlError/parameter(_:expected:given:)``.
    func requirePlatform(_ name: String) throws -> any Platform.Type {
        guard let card = info.platforms.first(where: { $0.name == name }) else {
            throw ControlError.parameter(
                "platform", expected: "one of \(platformNames)", given: "“\(name)”")
        }
        return card
    }

    private var platformNames: String { info.platforms.map { $0.name }.joined(separator: ", ") }

    /// A refusal of a platform's own is told in its words.
    private static func told(_ refusal: any Refusal) -> any Error {
        refusal is RecordRefusal ? refusal : ControlError.refused(refusal.explanation)
    }
}

extension Console.Made {
    var user: String? {
        switch self {
        case .record(let record): record.user
        case .transaction(let transaction): transaction.user
        }
    }
}
