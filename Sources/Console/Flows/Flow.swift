import PlatformKit

/// Requests and events that belong together: a login, an approval, an enrolment.
struct Flow: Sendable {
    /// By start; one at least.
    let steps: [FlowStep]
    /// Moves of the world's clock while it went on, oldest first.
    let moves: [JournalEntry]
    let end: ContinuousClock.Instant
    /// Mail addresses of those whose id is all that the flow itself knows, by id.
    private let addresses: [String: String]

    /// Nil for a lone look at something that is about nobody and nothing.
    init?(_ steps: [FlowStep], moves: [JournalEntry], addresses: [String: String] = [:]) {
        guard let first = steps.first, let end = steps.map(\.end).max() else { return nil }
        let isLook = ["GET", "HEAD", "OPTIONS"].contains(first.exchange?.method ?? "") && !first.isRefused
        if steps.count == 1, isLook, first.own.isEmpty, first.lasting.isEmpty { return nil }
        (self.steps, self.end, self.addresses) = (steps, end, addresses)
        self.moves = moves.filter { $0.instant > first.start && $0.instant < end }
    }

    /// Id of the first entry: the flow keeps it while it goes on.
    var id: Int { steps[0].entry.id }

    var entryIDs: [Int] { steps.flatMap { [$0.entry.id] + $0.events.map(\.id) } }

    /// In the order in which they come up.
    var platforms: [String] { steps.compactMap(\.entry.platform).unique }

    var users: [String] {
        steps.flatMap(\.people).unique
    }

    /// What only this flow is about.
    var things: [Subject] {
        steps.flatMap { step in ([step.entry] + step.events).flatMap(\.subjects) }.filter(\.kind.isOneFlow)
            .unique
    }

    var requestCount: Int { steps.count { $0.exchange != nil } }

    /// `3 requests`; of a flow without any, how much happened by itself.
    var extent: String {
        let (count, word) = requestCount == 0 ? (steps.count, "event") : (requestCount, "request")
        return count == 1 ? "1 \(word)" : "\(count) \(word)s"
    }
    var refusedCount: Int { steps.count(where: \.isRefused) }
    /// Whether it is one request, about nothing that others could be about too.
    var isSingle: Bool { steps.count == 1 && things.isEmpty }

    /// Whether it is about a user id, a mail address or what else platforms know people by.
    ///
    /// - Parameter user: as ``FlowStep`` keeps it, in lower case.
    func isAbout(_ user: Subject) -> Bool { steps.contains { $0.lasting.contains(user) } }
}

// MARK: What people call it

extension Flow {
    /// `Login of ada by OTP`, `Passkey registration of grace@example.com`, `GET /hanko/me for ada`
    var title: String {
        guard let thing = namesake else { return plainTitle }
        let what = thing.title ?? thing.kind.rawValue.capitalizedFirst
        return what + (person.map { " of \($0)" } ?? "") + (thing.way.map { " \($0)" } ?? "")
    }

    /// The thing that says best what went on: one of a platform before one of the sample app, and one that says how it is done before
    /// one that does not.
    private var namesake: Subject? {
        let told = steps.flatMap { step in
            ([step.entry] + step.events).flatMap { entry in
                entry.subjects.filter(\.kind.isOneFlow).map {
                    (thing: $0, isOfSample: entry.platform == "app")
                }
            }
        }
        return told.enumerated().min { one, other in
            rank(one.element.thing, one.element.isOfSample, one.offset)
                < rank(other.element.thing, other.element.isOfSample, other.offset)
        }?.element.thing
    }

    private func rank(_ thing: Subject, _ isOfSample: Bool, _ place: Int) -> (Int, Int) {
        ((thing.title == nil ? 4 : 0) + (isOfSample ? 2 : 0) + (thing.way == nil ? 1 : 0), place)
    }

    /// Of a flow that is about nothing in particular.
    private var plainTitle: String {
        if requestCount == 1, let exchange = steps.lazy.compactMap(\.exchange).first {
            let target = FlowWords(self).target(String(exchange.target.prefix { $0 != "?" }))
            return "\(exchange.method) \(target)" + (person.map { " for \($0)" } ?? "")
        }
        let event = requestCount == 0 ? steps.lazy.compactMap(\.entry.event).first : nil
        let what = event?.capitalizedFirst ?? "Requests"
        return person.map { event == nil ? "\(what) of \($0)" : "\(what): \($0)" } ?? what
    }

    /// Whom it is about, as people know them; nil where it knows nothing but numbers.
    private var person: String? {
        let users = users
        return users.first { $0.contains("@") } ?? users.lazy.compactMap { addresses[$0] }.first
            ?? users.first { !$0.isOpaque }
    }
}

extension String {
    /// Whether it is an id that nobody would know somebody by.
    var isOpaque: Bool {
        utf8.count > 40
            || utf8.count >= 8 && contains(where: \.isNumber)
                && allSatisfy { $0.isHexDigit || $0 == "-" || $0 == "=" }
            || utf8.count >= 16 && contains(where: \.isNumber) && !contains("@") && !contains(" ")
    }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Array where Element: Hashable {
    /// Each where it comes up first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
