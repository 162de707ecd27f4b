import Crypto
import Essentials
import HTTP
import JOSE
import Synchronization

/// What the faults of a world do to one request, and the sentences of the journal for it.
///
/// Rules are asked in their order. Those that answer in the place of the platform, or end the connection before it acts, end the
/// asking; all others add up. Those about messages are asked when one leaves, those about answers when there is one.
final class FaultStrikes: Sendable {
    /// Before the platform acts.
    enum Verdict: Sendable {
        case answer(FaultRule)
        /// The connection ends; by a reset, or quietly.
        case end(isReset: Bool)
    }

    private struct State {
        /// Sentences by the name of the rule, in the order of the strikes.
        var told: [(name: String, sentence: String)] = []
        var delay: Double?
    }

    /// A rule that is about the request, as far as that is known before something leaves.
    private struct Fitting: Sendable {
        let rule: FaultRule
        /// Whom the request names.
        let names: RequestNames?

        /// - Parameters: whom it is about that leaves, besides those.
        func fits(user: String?, client: String?) -> Bool {
            let (users, clients) = (names?.users ?? [], names?.clients ?? [])
            return (rule.match.user.map { $0 == user || users.contains($0) } ?? true)
                && (rule.match.client.map { $0 == client || clients.contains($0) } ?? true)
        }
    }

    let verdict: Verdict?
    /// Seconds by which the device's clock is ahead.
    let skew: Double
    private let book: FaultBook
    private let clock: WallClock
    private let entropy: Entropy
    private let aboutDepartures: [Fitting]
    private let aboutAnswers: [FaultRule]
    private let state: Mutex<State>

    /// Nil where no rule is about the request.
    ///
    /// - Parameters:
    ///   - path: below the platform's mount.
    ///   - platform: its name, and the mount that the request came to.
    ///   - names: whom the request names.
    init?(
        _ method: String, _ path: String, of platform: [String], in world: World,
        names: () throws -> RequestNames
    ) throws {
        book = world.core.faults
        clock = world.services.clock
        let entropy = world.services.entropy
        self.entropy = entropy
        let fitting = try Self.fitting(book.rules, method, path, platform, names)
        if fitting.isEmpty { return nil }
        let now = clock.now()
        var (departures, answers, begun) = ([Fitting](), [FaultRule](), State())
        var (verdict, skew) = (Verdict?.none, 0.0)
        for fit in fitting where verdict == nil {
            let rule = fit.rule
            if rule.effect.isAboutDepartures {
                departures.append(fit)
            } else if !fit.fits(user: nil, client: nil) {
                continue
            } else if rule.effect.isAboutAnswers {
                answers.append(rule)
            } else if let struck = book.meet(rule.name, at: now, dice: entropy.faultDice) {
                if let seconds = struck.effect.clockSkew?.seconds { skew += seconds }
                if let delay = struck.effect.delay {
                    let more = delay.spread.map { $0 * entropy.faultDice() } ?? 0
                    begun.delay = (begun.delay ?? 0) + delay.seconds + more
                }
                verdict = Verdict(struck)
                begun.told.append((struck.name, struck.sentence(at: now)))
            }
        }
        (aboutDepartures, aboutAnswers, self.verdict, self.skew) = (departures, answers, verdict, skew)
        state = Mutex(begun)
    }

    /// For what a platform does without a request, such as an action of the console: only rules about what leaves, and none that asks
    /// for a method or a path.
    init?(departuresOf platform: String, in world: World) {
        book = world.core.faults
        (clock, entropy) = (world.services.clock, world.services.entropy)
        aboutDepartures = book.rules.filter {
            $0.effect.isAboutDepartures && $0.match.method == nil && $0.match.path == nil
                && $0.match.platform ?? platform == platform
        }.map { Fitting(rule: $0, names: nil) }
        if aboutDepartures.isEmpty { return nil }
        (aboutAnswers, verdict, skew) = ([], nil, 0)
        state = Mutex(State())
    }

    private static func fitting(
        _ rules: [FaultRule], _ method: String, _ path: String, _ platform: [String],
        _ names: () throws -> RequestNames
    ) rethrows -> [Fitting] {
        var known: RequestNames?
        return try rules.filter { $0.match.fits(method, path, of: platform) }.map { rule in
            if rule.match.user != nil || rule.match.client != nil, known == nil { known = try names() }
            return Fitting(rule: rule, names: known)
        }
    }

    /// What the journal says of it; nil where nothing struck.
    var explanation: String? {
        state.withLock { state in
            state.told.isEmpty ? nil : state.told.map(\.sentence).joined(separator: " ")
        }
    }

    /// The seconds by which the answer is late, for the first who asks.
    func takeDelay() -> Double? { state.withLock { $0.delay.take() } }

    /// The answer in the place of the platform's, where there is one.
    func answer<P: Platform>(_: P.Type) throws -> Response? {
        switch verdict {
        case .answer(let rule): try rule.answer(P.self, at: clock.now())
        case .end: Response(status: Status(code: 0))
        case nil: nil
        }
    }

    // MARK: What leaves during the request

    struct Strike: Sendable {
        /// Of the rule.
        let name: String
        let delivery: FaultEffect.Delivery
    }

    /// What becomes of a message; nil when it goes its way.
    func strike(on message: Message) -> Strike? {
        let to = message.to.address
        return strike("\(message.channel.word) to \(to)", to) { $0.delivery(on: message.channel) }
    }

    func strike(on callback: Callback) -> Strike? {
        strike("callback \(callback.method.rawValue) \(callback.url), \(callback.purpose),", nil) {
            $0.callback
        }
    }

    private func strike(
        _ what: String, _ user: String?, _ part: (FaultEffect) -> FaultEffect.Delivery?
    ) -> Strike? {
        guard let rule = meet(user, nil, { part($0) != nil }), let delivery = part(rule.effect) else {
            return nil
        }
        let fate =
            switch delivery.fate {
            case .lost: "is lost"
            case .twice: "goes out twice"
            case .late: "is late by \((delivery.seconds ?? 0).plain) s"
            }
        tell(rule.name, "By the fault “\(rule.name)” the \(what) \(fate).")
        return Strike(name: rule.name, delivery: delivery)
    }

    /// What is otherwise about tokens that are signed for the request.
    var tokenChanges: TokenChanges {
        TokenChanges { [self] order in
            let isWanted = { (effect: FaultEffect) in
                effect.token.map { $0.kind ?? order.kind == order.kind } ?? false
            }
            guard let rule = meet(order.user, order.client, isWanted), let flaw = rule.effect.token?.flaw
            else {
                return nil
            }
            let kind = order.kind.replacing("_", with: " ")
            tell(
                rule.name,
                "The fault “\(rule.name)” spoilt the \(kind) that was signed. \(flaw.explanation)")
            return TokenChange(flaw: flaw)
        }
    }

    /// The first rule about such a thing that strikes.
    private func meet(_ user: String?, _ client: String?, _ isWanted: (FaultEffect) -> Bool) -> FaultRule? {
        for fit in aboutDepartures where isWanted(fit.rule.effect) && fit.fits(user: user, client: client) {
            if let rule = book.meet(fit.rule.name, at: clock.now(), dice: entropy.faultDice) { return rule }
        }
        return nil
    }

    /// What a strike was counted for came to nothing, as in a turn that was taken back.
    func takeBack(_ strike: Strike) {
        book.takeBack(strike.name)
        state.withLock { state in
            guard let place = state.told.lastIndex(where: { $0.name == strike.name }) else { return }
            state.told.remove(at: place)
        }
    }

    private func tell(_ name: String, _ sentence: String) {
        state.withLock { $0.told.append((name, sentence)) }
    }

    // MARK: The answer

    /// Writes down what was counted.
    func keep(in world: World) throws { try book.keep(in: world.database) }

    /// How the answer leaves instead; nil when it goes its way. What was counted for the request is written down.
    func spoil(_ response: Response, in world: World) throws -> Response.Body? {
        let body = body(instead: response)
        try keep(in: world)
        return body
    }

    /// The first rule that strikes counts.
    private func body(instead response: Response) -> Response.Body? {
        if case .end(let isReset) = verdict { return .cut(.init(isReset: isReset)) }
        for rule in aboutAnswers where rule.effect.spoils(response) {
            guard book.meet(rule.name, at: clock.now(), dice: entropy.faultDice) != nil else { continue }
            tell(rule.name, rule.sentence(spoiling: response))
            return rule.effect.spoilt(response)
        }
        return nil
    }
}

extension FaultStrikes.Verdict {
    /// Nil for what lets the platform act.
    fileprivate init?(_ rule: FaultRule) {
        if rule.effect.answer != nil || rule.effect.rateLimit != nil {
            self = .answer(rule)
        } else if rule.effect.drop != nil || rule.effect.reset != nil {
            self = .end(isReset: rule.effect.reset != nil)
        } else {
            return nil
        }
    }
}

extension Entropy {
    /// From 0 up to 1, from a stream of its own.
    fileprivate func faultDice() -> Double {
        let drawn = bytes(8, "kit.fault").reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(drawn >> 11) / Double(UInt64(1) << 53)
    }
}

extension Message.Channel {
    fileprivate var word: String {
        switch self {
        case .mail: "mail"
        case .sms: "text message"
        case .push: "push"
        }
    }
}

extension FaultRule {
    /// Of a strike before the platform acts.
    fileprivate func sentence(at now: Date) -> String {
        let fault = "The fault “\(name)”"
        if let answer = effect.answer {
            return "\(fault) answered with \(answer.status) instead of the platform."
        }
        if let rate = effect.rateLimit {
            return
                "\(fault) answered: more than \(rate.requests) requests came within \(rate.seconds.plain) s; the next passes in "
                + "\(secondsToWait(at: now)) s."
        }
        if let delay = effect.delay { return "\(fault) delayed this answer by \(delay.words)." }
        if let skew = effect.clockSkew {
            return "By the fault “\(name)” the platform took the clock of this device to be \(skew.words)."
        }
        let how = effect.reset == nil ? "closed" : "reset"
        return "\(fault) \(how) the connection without an answer; the platform did not see the request."
    }
}

extension FaultEffect.Delay {
    fileprivate var words: String {
        spread.map { "\(seconds.plain) to \((seconds + $0).plain) s" } ?? "\(seconds.plain) s"
    }
}
