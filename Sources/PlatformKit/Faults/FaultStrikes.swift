import Crypto
import Essentials
import HTTP
import JOSE
import SQLite
import Synchronization

/// What the faults of a world do to one request, and the sentences of the journal for it.
///
/// Rules are asked in their order. Those that answer in the place of the platform, or end the connection before it acts, end the
/// asking; all others add up. Those about messages are asked when one leaves, those about answers when there is one.
final class FaultStrikes: Sendable {
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

    /// Before the platform acts.
    let verdict: StruckRequest.Verdict?
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
        _ method: String, _ path: String, of platform: [String], by book: FaultBook, _ clock: WallClock,
        _ entropy: Entropy, names: () throws -> RequestNames
    ) throws {
        (self.book, self.clock, self.entropy) = (book, clock, entropy)
        let fitting = try Self.fitting(book.rules, method, path, platform, names)
        if fitting.isEmpty { return nil }
        var (departures, answers, told) = ([Fitting](), [FaultRule](), [(String, String)]())
        var request = StruckRequest(now: clock.now(), dice: entropy.faultDice)
        for fit in fitting where request.verdict == nil {
            let phase = fit.rule.effect.phase
            if phase.isAboutDepartures {
                departures.append(fit)
            } else if !fit.fits(user: nil, client: nil) {
                continue
            } else if case .answer = phase {
                answers.append(fit.rule)
            } else if case .request(let effect) = phase,
                let struck = book.meet(fit.rule.name, at: request.now, dice: request.dice)
            {
                request.window = struck.window
                effect.strike(&request)
                told.append((struck.name, effect.sentence(struck.words, request)))
            }
        }
        (aboutDepartures, aboutAnswers, verdict, skew) = (departures, answers, request.verdict, request.skew)
        state = Mutex(State(told: told, delay: request.delay))
    }

    /// For what a platform does without a request, such as an action of the console: only rules about what leaves, and none that asks
    /// for a method or a path.
    init?(departuresOf platform: String, by book: FaultBook, _ clock: WallClock, _ entropy: Entropy) {
        (self.book, self.clock, self.entropy) = (book, clock, entropy)
        aboutDepartures = book.rules.filter {
            $0.effect.phase.isAboutDepartures && $0.match.method == nil && $0.match.path == nil
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
    ///
    /// - Parameter error: how the platform answers with a status alone.
    func answer(_ error: (Status) throws -> Response) throws -> Response? {
        switch verdict {
        case .answer(let answer): try answer(error)
        case .end: Response(status: Status(code: 0))
        case nil: nil
        }
    }

    // MARK: What leaves during the request

    struct Strike: Sendable {
        /// Of the rule.
        let name: String
        let delivery: FaultDelivery
    }

    /// What becomes of a message; nil when it goes its way.
    func strike(on message: Message) -> Strike? {
        let to = message.to.address
        return strike("\(message.channel.word) to \(to)", to) { phase in
            guard case .message(message.channel, let delivery) = phase else { return nil }
            return delivery
        }
    }

    func strike(on callback: Callback) -> Strike? {
        strike("callback \(callback.method.rawValue) \(callback.url), \(callback.purpose),", nil) { phase in
            guard case .callback(let delivery) = phase else { return nil }
            return delivery
        }
    }

    private func strike(
        _ what: String, _ user: String?, _ part: (FaultPhase) -> FaultDelivery?
    ) -> Strike? {
        guard let (rule, delivery) = meet(user, nil, part) else { return nil }
        let fate =
            switch delivery.fate {
            case .lost: "is lost"
            case .twice: "goes out twice"
            case .late: "is late by \((delivery.seconds ?? 0).plain) s"
            }
        tell(rule.name, "By the \(rule.words) the \(what) \(fate).")
        return Strike(name: rule.name, delivery: delivery)
    }

    /// What is otherwise about tokens that are signed for the request.
    var tokenAlterations: TokenAlterations {
        TokenAlterations { [self] order in
            let met = meet(order.user, order.client) { phase -> TokenFlaw? in
                guard case .token(let flaw, let kind) = phase, kind ?? order.kind == order.kind else {
                    return nil
                }
                return flaw
            }
            guard let (rule, flaw) = met else { return nil }
            let kind = order.kind.replacing("_", with: " ")
            tell(rule.name, "The \(rule.words) spoilt the \(kind) that was signed. \(flaw.explanation)")
            return TokenAlteration(flaw: flaw)
        }
    }

    /// The first rule about such a thing that strikes, and what it does to it.
    ///
    /// - Parameter part: what an effect does to such a thing; nil for one about others.
    private func meet<Part>(
        _ user: String?, _ client: String?, _ part: (FaultPhase) -> Part?
    ) -> (FaultRule, Part)? {
        for fit in aboutDepartures where fit.fits(user: user, client: client) {
            guard let part = part(fit.rule.effect.phase) else { continue }
            if let rule = book.meet(fit.rule.name, at: clock.now(), dice: entropy.faultDice) {
                return (rule, part)
            }
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

    /// Makes what leaves of an answer.
    typealias Spoiling = (inout Response) -> Void

    /// Writes down what was counted.
    func keep(in database: Database) throws { try book.keep(in: database) }

    /// What becomes of the answer on its way; nil when it goes as it is. What was counted for the request is written down.
    func spoiling(_ response: Response, in database: Database) throws -> Spoiling? {
        let spoiling = spoiling(response)
        try keep(in: database)
        return spoiling
    }

    /// The first rule that strikes counts.
    private func spoiling(_ response: Response) -> Spoiling? {
        if case .end(let isReset) = verdict { return { $0.body = .cut(.init(isReset: isReset)) } }
        for rule in aboutAnswers {
            guard case .answer(let effect) = rule.effect.phase, effect.spoils(response),
                book.meet(rule.name, at: clock.now(), dice: entropy.faultDice) != nil
            else { continue }
            tell(rule.name, effect.sentence(rule.words, spoiling: response))
            return { effect.spoil(&$0) }
        }
        return nil
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
    /// In a sentence of the journal.
    fileprivate var words: String { "fault “\(name)”" }
}
