import PlatformKit

/// Requests and events that belong together: a login, an approval, an enrolment.
struct Flow: Sendable {
    /// By start; one at least.
    let steps: [FlowStep]
    /// Moves of the world's clock while it went on, oldest first.
    let moves: [JournalEntry]
    let end: ContinuousClock.Instant

    /// Nil for a lone look at something that is about nobody and nothing.
    init?(_ steps: [FlowStep], moves: [JournalEntry]) {
        guard let first = steps.first, let end = steps.map(\.end).max() else { return nil }
        let isLook = ["GET", "HEAD", "OPTIONS"].contains(first.exchange?.method ?? "") && !first.isRefused
        if steps.count == 1, isLook, first.own.isEmpty, first.lasting.isEmpty { return nil }
        (self.steps, self.end) = (steps, end)
        self.moves = moves.filter { $0.instant > first.start && $0.instant < end }
    }

    /// Id of the first entry: the flow keeps it while it goes on.
    var id: Int { steps[0].entry.id }

    var entryIDs: [Int] { steps.flatMap { [$0.entry.id] + $0.events.map(\.id) } }

    /// In the order in which they come up.
    var platforms: [String] { steps.compactMap(\.entry.platform).unique }

    var users: [String] {
        steps.flatMap { step in
            ([step.entry] + step.events).flatMap { $0.users + [$0.subject].compactMap(\.self) }
        }.unique
    }

    /// What only this flow is about.
    var things: [Subject] {
        steps.flatMap { step in ([step.entry] + step.events).flatMap(\.subjects) }.filter(\.kind.isOneFlow)
            .unique
    }

    var requestCount: Int { steps.count { $0.exchange != nil } }
    var refusedCount: Int { steps.count(where: \.isRefused) }

    /// `passcode of ada@example.test`
    var title: String {
        let what = things.first.map(\.kind.rawValue) ?? "requests"
        return users.first.map { "\(what) of \($0)" } ?? what
    }

    /// Whether it is about a user id, a mail address or what else platforms know people by.
    func isAbout(_ user: String) -> Bool {
        let user = user.lowercased()
        return steps.contains { $0.lasting.contains(Subject(.user, user)) }
    }
}

extension Array where Element: Hashable {
    /// Each where it comes up first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
