import Essentials
import HTTP
import PlatformKit

/// Plays a recording in two worlds of ours and holds their answers beside the recorded ones.
///
/// The second world lies some seconds ahead and has other chance: what both say is meant, what differs is made up anew each time.
package struct Comparer {
    private let exchanges: [Exchange]
    let book: RouteBook
    let bases: Bases
    private let stages: (first: Stage, second: Stage)
    private let codes: MailedCodes
    let threads: Threads
    let pictures: Pictures
    let origins: Origins
    /// What the program asked of itself: it will ask again.
    private let inner: Set<Int>
    let atOnce: AtOnce
    private let plan: PhonePlan

    /// Seconds that the second world is ahead: less than any token of a client lasts, and not whole, as fractions of seconds differ as well.
    private static let ahead = 7.125

    package init(
        _ exchanges: [Exchange], _ book: RouteBook, _ bases: Bases, first: Stage, second: Stage
    ) {
        (self.exchanges, self.book, self.bases, stages) = (exchanges, book, bases, (first, second))
        codes = MailedCodes(in: exchanges)
        let carried = exchanges.map(CarriedValues.init)
        threads = Threads(carried)
        pictures = Pictures(carried, bases)
        origins = Origins(carried, bases)
        inner = InnerCalls.numbers(in: exchanges, bases, book)
        atOnce = AtOnce(exchanges)
        plan = PhonePlan(exchanges, bases)
    }

    /// - Parameter watch: sees each exchange when it was played.
    /// - Throws: what a stage and who watches throw; nothing that an answer says.
    package func findings(_ watch: (Played) throws -> Void = { _ in }) throws -> [Finding] {
        var play = Play(
            first: Run(addresses: bases.pairs(to: stages.first.base), exchanges, plan, ahead: 0),
            second: Run(addresses: bases.pairs(to: stages.second.base), exchanges, plan, ahead: Self.ahead))
        let comparison = AnswerComparison(bases: bases, worlds: (stages.first.base, stages.second.base))
        var (findings, held): ([Finding], Held) = ([], Held())
        for exchange in exchanges {
            play.last = nil
            let finding = try finding(exchange, comparison, &play)
            findings.append(finding)
            held.add(Played(exchange, finding, play.last?.request, play.last?.answer))
            for index in held.again(after: exchange) {
                guard let played = try askedAgain(held[index], comparison, &play) else { continue }
                held[index] = played
                findings[findings.count - held.count + index] = played.finding
            }
            for played in held.taken() { try watch(played) }
        }
        for played in held.all() { try watch(played) }
        return findings
    }

    /// What agrees after all, now that what was made at the same time is done; nil where it does not.
    private func askedAgain(
        _ played: Played, _ comparison: AnswerComparison, _ play: inout Play
    ) throws -> Played? {
        let exchange = played.exchange
        guard let place = bases.place(of: exchange.request.url), let route = played.finding.route else {
            return nil
        }
        let (first, request) = try answer(exchange, place, stages.first, &play.first)
        let (second, _) = try answer(exchange, place, stages.second, &play.second)
        guard comparison.differences(exchange, place, first, second).isEmpty else { return nil }
        play.learn(exchange, place, first, second)
        let finding = Finding(exchange, route: route, platform: played.finding.platform, .agrees)
        return Played(exchange, finding, request, first)
    }

    private func finding(
        _ exchange: Exchange, _ comparison: AnswerComparison, _ play: inout Play
    ) throws -> Finding {
        guard let place = bases.place(of: exchange.request.url), !inner.contains(exchange.number),
            !isFrontPage(exchange, place)
        else {
            return Finding(exchange, route: nil, platform: nil, .elsewhere)
        }
        do {
            return try finding(exchange, place, comparison, &play)
        } catch let unsendable as Unsendable {
            play.taint(threads.thread(of: exchange), exchange.number)
            let name = routeName(exchange.request.method, place)
            return Finding(
                exchange, route: name, platform: book.platforms[place.mount],
                .notComparable(unsendable.reason))
        }
    }

    private func finding(
        _ exchange: Exchange, _ place: Bases.Place, _ comparison: AnswerComparison, _ play: inout Play
    ) throws -> Finding {
        Finding(
            exchange, route: routeName(exchange.request.method, place), platform: book.platforms[place.mount],
            try unplayed(exchange, place, &play) ?? verdict(exchange, place, comparison, &play))
    }

    /// The verdict on what is not sent; nil for everything else.
    private func unplayed(
        _ exchange: Exchange, _ place: Bases.Place, _ play: inout Play
    ) -> Finding.Verdict? {
        if exchange.response.status == 0 { return .notComparable("the recording has no answer to it") }
        if exchange.isWebSocket {
            // What is said in it is not in the recording.
            play.taint(platform: place.mount, exchange.number)
            return .notComparable("a web socket is not played")
        }
        if exchange.request.isCut {
            play.taint(threads.thread(of: exchange), exchange.number)
            return .notComparable("the recording has not all of its body")
        }
        return isKnown(exchange.request.method, place) || exchange.isRouteRefused ? nil : .notEmulated
    }

    private func verdict(
        _ exchange: Exchange, _ place: Bases.Place, _ comparison: AnswerComparison, _ play: inout Play
    ) throws -> Finding.Verdict {
        try play.moveClocks(to: exchange, stages)
        let before = try stages.first.unanswered().count
        let (first, request) = try answer(exchange, place, stages.first, &play.first)
        play.last = (request, first)
        guard isKnown(exchange.request.method, place) else {
            return first.status == exchange.response.status ? .agrees : .notEmulated
        }
        let (second, _) = try answer(exchange, place, stages.second, &play.second)
        let differences = comparison.differences(exchange, place, first, second)
        play.learn(exchange, place, first, second)
        if request.hasCodeOfSeveral { play.guess(place.mount, exchange.number) }
        let unanswered = try stages.first.unanswered()
        let verdict = verdict(
            on: AnswerPair(
                exchange: exchange, place: place, request: request, ours: first, differences: differences,
                unanswered: unanswered.count > before ? unanswered.last : nil,
                rival: differences.isEmpty ? nil : rival(exchange, place, comparison, first, second)), &play)
        // What it gave, later requests carry, and nothing of ours can stand in its place.
        if exchange.response.lacksValues { play.taint(platform: place.mount, exchange.number) }
        return verdict
    }

    private func answer(
        _ exchange: Exchange, _ place: Bases.Place, _ stage: Stage, _ run: inout Run
    ) throws -> (Stage.Answer, PlayedRequest) {
        var failure: (any Error)?
        let taken = run.substitution.taken
        let ahead = run.ahead
        let told = exchange.told
        let cookies = CookieNames(bases.paths(place, told, world: stage.base))
        var request = PlayedRequest(
            exchange.request, at: place, home: stage.base + "/" + place.mount, told: told, cookies: cookies,
            run.substitution
        ) { name, value in
            do {
                return try codes.code(
                    name, value, from: stage, taken: taken,
                    times: Set(
                        origins.times(of: exchange).map { $0.adding(seconds: ahead).unixMilliseconds }))
            } catch {
                failure = error
                return .asRecorded
            }
        }
        if let failure { throw failure }
        for code in request.codes { run.substitution.learn(code: code.recorded, code.ours) }
        let answer = try run.answer(&request, of: exchange, place, on: stage)
        return (cookies.told(answer), request)
    }

    /// Whether it is a page of this program at the address of a platform, which has no such page.
    private func isFrontPage(_ exchange: Exchange, _ place: Bases.Place) -> Bool {
        exchange.takenAt != nil && !exchange.isPassed && ["", "/"].contains(place.path)
            && !isKnown(exchange.request.method, place)
    }

    /// Whether a route is there; a preflight is answered for each path that there is.
    private func isKnown(_ method: String, _ place: Bases.Place) -> Bool {
        method == "OPTIONS"
            ? !book.methods(place.mount, place.path).isEmpty
            : book.route(place.mount, method, place.path) != nil
    }

    /// Of an unknown path, the path with dots in the place of what chance made.
    func routeName(_ method: String, _ place: Bases.Place) -> String {
        if let route = book.route(place.mount, method, place.path) { return route.name }
        if method == "OPTIONS", let route = book.methods(place.mount, place.path).first {
            return "OPTIONS /\(route.mount)\(route.pattern)"
        }
        let path = place.path.split(separator: "/", omittingEmptySubsequences: false).map {
            Shape($0.percentDecoded).isOpaque ? "…" : String($0)
        }.joined(separator: "/")
        return "\(method) /\(place.mount)\(path)"
    }
}
