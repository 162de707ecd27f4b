import Essentials
package import HTTP
package import PlatformKit
import Synchronization

/// Has the phones of all worlds do their errands: those of one phone one after the other, on threads of its own, so that nobody who waits
/// for a phone holds one.
package final class PhoneCenter: Sendable {
    /// Where the worlds are found when no request says so.
    private struct Place: Sendable {
        var worlds: Worlds?
        var origin: String?
        var explainKey = "1"
        /// Worlds that were opened before that.
        var early: Set<String> = []
    }

    private let sections: [any Section.Type]
    let queue = OutgoingQueue(attemptLimit: 1)
    private let place = Mutex(Place())
    let agenda = PhoneAgenda()
    /// What phones are at, by their lanes; those that do nothing are not in it.
    let tasks = Mutex<[String: Task]>([:])

    enum Task {
        case errand
        /// Waits for a key of RSA for an app of this title.
        case key(String)
    }

    /// - Parameter sections: whose apps the phones may have.
    package init(_ sections: [any Section.Type]) { self.sections = sections }

    /// From now on pushes reach the phones.
    ///
    /// - Parameters:
    ///   - origin: scheme and authority at which this program calls itself: `http://127.0.0.1:8420`.
    ///   - token: the control token, without which nobody has refusals explained; nil where none is asked for.
    package func begin(_ worlds: Worlds, at origin: String, token: String? = nil) {
        let early = place.withLock { place in
            defer { place = Place(worlds: worlds, origin: origin, explainKey: token ?? "1") }
            return place.early
        }
        for name in early { attend(name) }
    }

    /// Ends the errands under way, waiting so long for them, and begins none any more.
    package func stop(seconds: Double) {
        place.withLock { $0 = Place() }
        queue.stop(seconds: seconds)
    }

    /// Has a phone do something, and answers when it is done: after `seconds` at most where `work` may find nothing to do yet, and
    /// is asked again whenever the phone has learned something; at once, without.
    ///
    /// - Parameters:
    ///   - base: where the platforms of the world are: `http://127.0.0.1:8420/w/blue`.
    ///   - answer: is given nil when `work` found nothing, and the error when it failed.
    /// - Throws: ``PhoneRefusal``.
    package func answer<Value: Sendable>(
        by name: String, in world: World, at base: String, within seconds: Double = 0,
        _ work: @escaping @Sendable (PhoneSession) throws -> Value?,
        with answer: @escaping @Sendable (Result<Value?, any Error>) throws -> Response
    ) throws -> Response {
        let phones = Phones(world)
        _ = try phones.phone(name)
        let errand = WaitingOrder<Value>(isRepeated: seconds > 0) {
            try phones.revision(of: name)
        } start: {
            [self] done in
            start(name, in: world, at: base) { session in
                try work(session)
            } done: {
                done($0)
            }
        }
        let occasion = errand.bell.occasion().or(world.services.changes.occasion(about: Phone.topic(name)))
        return try occasion.answer(within: seconds > 0 ? seconds : Self.patience) { _ in
            try errand.outcome()
        } with: { outcome in
            try answer(outcome ?? (seconds > 0 ? .success(nil) : .failure(self.busy(name, in: world))))
        }
    }

    /// A phone with its apps as they were kept last, without asking anybody.
    package func look(at name: String, in world: World) throws -> PhoneSession {
        try PhoneSession(name, of: world, base: "", self)
    }

    /// Seconds that a phone may take for what is asked of it at once.
    private static let patience = 30.0
    /// Seconds by which a slow phone is late.
    private static let delay = 2.0

    func start<Value: Sendable>(
        _ name: String, in world: World, at base: String,
        _ work: @escaping @Sendable (PhoneSession) throws -> Value,
        done: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = OutgoingQueue.Job(lane: Self.lane(name, world)) { [self] in
            done(Result { try run(name, in: world, at: base, work) })
        } report: { _, _, _ in
        }
        // A phone that cannot be read says so in its errand.
        let isSlow = (try? Phones(world).phone(name).network) == .slow
        if isSlow { queue.add(job, after: Self.delay) } else { queue.add(job) }
    }

    private func run<Value>(
        _ name: String, in world: World, at base: String, _ work: (PhoneSession) throws -> Value
    ) throws -> Value {
        let lane = Self.lane(name, world)
        tasks.withLock { $0[lane] = .errand }
        defer { tasks.withLock { $0[lane] = nil } }
        let session = try PhoneSession(name, of: world, base: base, self)
        let result = Result { try work(session) }
        if try session.keep() { attend(world) }
        return try result.get()
    }
}

extension PhoneCenter {
    /// A push went out; one for a phone of ours is delivered to it at once.
    package func deliver(_ push: Message, in world: String) {
        guard let (phone, account) = Handset.recipient(ofPushTo: push.to.address) else { return }
        reach(phone, in: world) { session, moment in
            try session.receive(push, as: account)
            try session.followPolicy(since: moment)
        }
    }

    /// The phone looks what there is, and does what its policy says.
    package func wake(_ name: String, in world: World, at base: String) {
        follow(name, in: world, base) { try $0.followPolicy() }
        // Of a phone without a network nothing was due.
        attend(world)
    }

    /// Has a phone that is online do something that no request asks for; `work` hears when that was, however long the phone is busy.
    private func reach(
        _ name: String, in world: String,
        _ work: @escaping @Sendable (PhoneSession, _ moment: Date) throws -> Void
    ) {
        let place = place.withLock { $0 }
        guard let worlds = place.worlds, let origin = place.origin else { return }
        do {
            guard let world = try worlds.world(world), try Phones(world).phone(name).network != .offline
            else {
                return
            }
            let base = origin + (world.name == Worlds.defaultName ? "" : "/w/" + world.name)
            let moment = world.clock.now
            follow(name, in: world, base) { try work($0, moment) }
        } catch {
            // The phone is gone, or the world cannot be opened, which every request to it says.
        }
    }

    func later(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {
        queue.add(OutgoingQueue.Job(lane: "", attempt: work, report: { _, _, _ in }), after: seconds)
    }

    /// What nobody waits for: the journal hears how it went.
    func follow(
        _ name: String, in world: World, _ base: String,
        _ work: @escaping @Sendable (PhoneSession) throws -> Void,
        done: @escaping @Sendable () -> Void = {}
    ) {
        start(name, in: world, at: base, work) { result in
            defer { done() }
            guard case .failure(let error) = result else { return }
            if let refusal = error as? PhoneRefusal, refusal.kind == .absent { return }
            let why = (error as? PhoneRefusal)?.sentence ?? "This is a bug of Understudy: \(error)."
            world.services.journal.event("phone failed", about: name, "Phone “\(name)”: \(why)")
        }
    }
}

extension PhoneCenter {
    /// The world of that name; nil when there is none, or it cannot be opened, which every request to it says.
    func world(_ name: String) -> World? {
        let worlds = place.withLock { place in
            if place.worlds == nil { place.early.insert(name) }
            return place.worlds
        }
        return try? worlds?.world(name)
    }

    /// What makes a platform explain its refusals.
    var explainKey: String { place.withLock { $0.explainKey } }

    /// Where this program's own calls find the platforms of a world; nil when it has no address.
    func base(of world: World) -> String? {
        place.withLock { $0 }.origin.map { $0 + (world.name == Worlds.defaultName ? "" : "/w/" + world.name) }
    }

    func configurations(of platform: String, in world: World) throws -> [AppConfiguration] {
        try section(platform).flatMap { try world.ask($0, (any ConfiguresApps).self)?.appConfigurations() }
            ?? []
    }

    /// - Throws: ``PhoneRefusal`` when the program has no such platform.
    func backOffice(of platform: String, in world: World) throws -> BackOffice {
        guard let type = section(platform) else { throw Self.noApp(platform) }
        return BackOffice(platform: type, world: world)
    }

    private func section(_ name: String) -> (any Section.Type)? { sections.first { $0.name == name } }
}

/// Something that a phone was told to do, and that somebody waits for.
private final class WaitingOrder<Value: Sendable>: Sendable {
    typealias Done = @Sendable (Result<Value?, any Error>) -> Void

    private enum State: Sendable {
        case idle, underWay
        /// With the revision of the phone after it.
        case done(Result<Value?, any Error>, Int)
    }

    /// Rings when it is done.
    let bell = Bell()
    private let state = Mutex<State>(.idle)
    private let isRepeated: Bool
    private let revision: @Sendable () throws -> Int
    private let start: @Sendable (@escaping Done) -> Void

    /// - Parameters:
    ///   - isRepeated: whether it is done again when it came to nothing and the phone has learned something.
    ///   - revision: of what the phone keeps.
    init(
        isRepeated: Bool, revision: @escaping @Sendable () throws -> Int,
        start: @escaping @Sendable (@escaping Done) -> Void
    ) {
        (self.isRepeated, self.revision, self.start) = (isRepeated, revision, start)
    }

    /// How it came out; starts it, where that is due.
    func outcome() throws -> Look<Result<Value?, any Error>> {
        let revision = try revision()
        let (found, isDue) = state.withLock { state -> (Result<Value?, any Error>?, Bool) in
            switch state {
            case .underWay: return (nil, false)
            case .done(let result, let before):
                guard isRepeated, case .success(nil) = result else { return (result, false) }
                if before == revision { return (nil, false) }
            case .idle: break
            }
            state = .underWay
            return (nil, true)
        }
        if isDue { start { [self] in finish($0) } }
        return Look(found)
    }

    private func finish(_ result: Result<Value?, any Error>) {
        // A phone that cannot be read ends the errand with that.
        let end = Result { try revision() }
        state.withLock { state in
            switch end {
            case .success(let revision): state = .done(result, revision)
            case .failure(let error): state = .done(.failure(error), 0)
            }
        }
        bell.ring()
    }
}
