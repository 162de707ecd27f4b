import Comparison
import Essentials
import Phone
import PlatformKit

/// A recording that is played in two worlds of a server that runs.
struct ComparisonRun {
    let exchanges: [Exchange]
    let book: RouteBook
    let bases: Bases
    let rules: Rules
    /// Whether nothing is made that the recording takes for granted.
    let isAsIs: Bool

    /// - Parameters:
    ///   - note: hears of each world that is made.
    ///   - watch: sees each exchange when it was played.
    func report(
        at place: ComparisonPlace, note: (String) -> Void = { _ in },
        watch: (Played) throws -> Void = { _ in }
    ) throws -> (report: Report, made: [Made]) {
        let start = exchanges.first?.playedAt ?? Date(timeIntervalSince1970: 0)
        let names = try [1, 2].map { number in
            let name = try makeWorld(number, at: start, place)
            note(name)
            return name
        }
        let presumed = try Presumed(place.worlds, names) { fixtures in
            isAsIs ? [] : try Made.all(in: exchanges, book, bases, fixtures: fixtures)
        }
        let stages = try names.map { try WorldStage(place, world: $0).stage }
        let findings = try Comparer(exchanges, book, bases, first: stages[0], second: stages[1])
            .findings(watch)
        let needs = presumed.needs + Need.all(in: exchanges, findings, fixtures: presumed.fixtures)
        return (
            Report(findings, book, rules: rules, needs: needs, made: presumed.made), presumed.made
        )
    }

    /// `compare-1`, or another name where somebody has that. It calls no real service, whatever the program was told, and of the back ends that
    /// the recording names only those that the fixtures allow.
    private func makeWorld(
        _ number: Int, at start: Date, _ place: ComparisonPlace
    ) throws -> String {
        var order = WorldOrder()
        let worlds = place.worlds
        let name = "compare-\(number)"
        order.name = worlds.names.contains(name) ? nil : name
        (order.seed, order.now, order.isFrozen) = (UInt64(number), start, true)
        let made = try worlds.create(order)
        if let world = try worlds.world(made) {
            if !world.upstreams.isEmpty { try world.changeUpstreams { $0 = [:] } }
            // What phones did is in the recording, and would be done twice.
            let phones = Phones(world)
            for phone in try phones.all() { _ = try phones.change(phone.name) { $0.network = .offline } }
            // It is a back end of itself, such as for a sign-in with another provider. What is called in its sample app is in the recording.
            let own = book.mounts.filter { $0 != RouteBook.sampleApp }
            let addresses = own.map { "\(place.server)/w/\(made)/\($0)" }
            try world.limitCalls(to: CallsFixture(only: (world.calls?.only ?? []) + addresses))
        }
        return made
    }
}
