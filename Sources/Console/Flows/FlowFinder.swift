import PlatformKit

/// Finds the flows in a journal: which requests and events belong together, although no client said so.
///
/// Steps that share a thing of one flow, such as a transaction, belong together. What has none, such as a look at a session, goes with
/// the step before it that was about the same person, or the same session, activation or grant, if that was not long ago; or else with
/// the next one.
struct FlowFinder {
    /// Entries that are looked at, the newest.
    static let entryLimit = 3000
    /// Seconds of real time between steps that only a person or a lasting thing ties together.
    static let patience = 30.0
    /// Steps before a call among which the one is looked for that it serves.
    private static let nearSteps = 100

    /// By start.
    private var steps: [FlowStep]
    /// Which step another one hangs on; itself for the first of each flow.
    private var parents: [Int]
    /// Whether a flow has a thing of its own; by its first step.
    private var isOwn: [Bool]

    /// - Parameter entries: newest first.
    /// - Returns: newest first.
    static func flows(in entries: [JournalEntry]) -> [Flow] {
        var finder = FlowFinder(entries)
        finder.joinByThings()
        finder.joinSockets()
        finder.joinCalls()
        finder.joinByTime()
        return finder.flows(with: entries.filter(\.isClockMove).reversed())
    }

    private init(_ entries: [JournalEntry]) {
        var steps = Self.steps(in: entries.filter { !$0.isClockMove })
        var things: [String: Subject] = [:]
        var people: Set<String> = []
        for step in steps {
            for thing in step.own.union(step.lasting)
            where thing.kind != .user && FlowNames.idLength.contains(thing.id.utf8.count) {
                things[thing.id] = things[thing.id].map { $0.kind.isOneFlow ? $0 : thing } ?? thing
            }
            people.formUnion(step.lasting.lazy.filter { $0.kind == .user }.map(\.id))
        }
        for index in steps.indices { steps[index].addNamed(things, people: people) }
        self.steps = steps.sorted { ($0.start, $0.entry.id) < ($1.start, $1.entry.id) }
        parents = Array(steps.indices)
        isOwn = self.steps.map { !$0.own.isEmpty }
    }

    /// A message of a web socket is a step of its own: a socket lives longer than what its messages are about.
    private static func steps(in entries: [JournalEntry]) -> [FlowStep] {
        var openings: [String: JournalEntry] = [:]
        for entry in entries where entry.opensSocket {
            if let socket = entry.correlation { openings[socket] = entry }
        }
        let messages = entries.compactMap { entry in
            FlowStep(message: entry, of: entry.correlation.flatMap { openings[$0] })
        }
        return EntryGroup.groups(of: entries.filter { $0.message == nil }).compactMap { FlowStep($0) }
            + messages
    }

    private mutating func root(_ index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    private mutating func join(_ one: Int, _ other: Int) {
        let (one, other) = (root(one), root(other))
        guard one != other else { return }
        parents[max(one, other)] = min(one, other)
        isOwn[min(one, other)] = isOwn[one] || isOwn[other]
    }

    private mutating func joinByThings() {
        var first: [Subject: Int] = [:]
        for index in steps.indices {
            for thing in steps[index].own {
                if let other = first[thing] { join(other, index) } else { first[thing] = index }
            }
        }
    }

    /// The request that opens a web socket goes with the first message on it.
    private mutating func joinSockets() {
        var openings: [String: Int] = [:]
        for index in steps.indices {
            let entry = steps[index].entry
            guard let socket = entry.correlation else { continue }
            if entry.opensSocket {
                openings[socket] = index
            } else if entry.message != nil, let opening = openings.removeValue(forKey: socket),
                steps[index].start - steps[opening].end <= .seconds(Self.patience)
            {
                join(opening, index)
            }
        }
    }

    /// What a platform asked another one while it served somebody belongs to that; where it served several, nobody knows to which.
    private mutating func joinCalls() {
        for index in steps.indices where steps[index].from.kind == .platform {
            let call = steps[index]
            let near = steps[max(0, index - Self.nearSteps)..<index]
            let served = near.indices.filter { other in
                steps[other].exchange != nil && steps[other].to == call.from && steps[other].end >= call.end
            }
            if served.count == 1 { join(served[0], index) }
        }
    }

    private mutating func joinByTime() {
        var latest: [Subject: Int] = [:]
        for index in steps.indices {
            let step = steps[index]
            let near = Set(step.lasting.compactMap { latest[$0] }).filter { other in
                step.start - steps[other].end <= .seconds(Self.patience)
            }
            if step.own.isEmpty {
                if let other = near.max() { join(other, index) }
            } else {
                for other in near where !isOwn[root(other)] { join(other, index) }
            }
            for thing in step.lasting { latest[thing] = index }
        }
    }

    /// - Parameter moves: of the clock, oldest first.
    private mutating func flows(with moves: [JournalEntry]) -> [Flow] {
        var places: [Int: Int] = [:]
        var found: [[FlowStep]] = []
        for index in steps.indices {
            let root = root(index)
            if let place = places[root] {
                found[place].append(steps[index])
            } else {
                places[root] = found.count
                found.append([steps[index]])
            }
        }
        let addresses = self.addresses
        return found.compactMap { Flow($0, moves: moves, addresses: addresses) }.sorted { $0.end > $1.end }
    }

    /// Mail addresses by the ids that the same request was about, where it was about one person.
    private var addresses: [String: String] {
        var addresses: [String: String] = [:]
        for step in steps {
            let people = step.people
            let (mails, ids) = (people.filter { $0.contains("@") }, people.filter(\.isOpaque))
            if mails.count == 1, ids.count == 1 { addresses[ids[0]] = mails[0] }
        }
        return addresses
    }
}

extension JournalEntry {
    fileprivate var opensSocket: Bool { exchange?.status == 101 }

    /// Somebody moved the world's clock: a break in whatever was under way.
    var isClockMove: Bool { platform == nil && event.map(Console.clockEvents.contains) ?? false }
}
