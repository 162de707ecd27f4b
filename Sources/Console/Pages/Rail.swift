import HTTP
import Phone
import PlatformKit

extension Console {
    /// How many things stand behind the entries of the navigation, by the names of the template; nothing for who may not see the page.
    func railCounts(_ world: World?, _ request: Request) -> [String: HTML] {
        guard let world, access.token.allowsPage(request) else { return RailCounts().values }
        // A count that cannot be had is no reason not to show a page, which says what is wrong itself.
        return RailCounts(
            outbox: (try? world.outbox.ids(RailCounts.newest).count) ?? 0,
            waiting: (try? watch(world).countOpen()) ?? 0,
            phones: (try? Phones(world).count()) ?? 0,
            snapshots: (try? worlds.snapshots(of: world.name).snapshots.count) ?? 0,
            worlds: worlds.latest(0).total, faults: world.faults.count
        ).values
    }
}

/// The figures of the navigation.
struct RailCounts {
    /// From here on it is “999+”.
    private static let most = 1000

    static var newest: OutboxStore.Query {
        var query = OutboxStore.Query()
        query.limit = most
        return query
    }

    var outbox = 0
    var waiting = 0
    var phones = 0
    var snapshots = 0
    var worlds = 0
    var faults = 0

    var values: [String: HTML] {
        [
            "count.outbox": count(outbox), "count.waiting": count(waiting, isDue: true),
            "count.phones": count(phones),
            "count.snapshots": count(snapshots), "count.worlds": count(worlds > 1 ? worlds : 0),
            "count.faults": count(faults, isDue: true),
        ]
    }

    /// - Parameter isDue: whether somebody should look there.
    private func count(_ number: Int, isDue: Bool = false) -> HTML {
        if number == 0 { return .none }
        let text = number < Self.most ? "\(number)" : "\(Self.most - 1)+"
        return "<span class=\"count\(isDue ? " due" : "" as HTML)\">\(text)</span>"
    }
}
