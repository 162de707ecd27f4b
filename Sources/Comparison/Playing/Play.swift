import Essentials

/// How far two runs have come.
struct Play {
    var first: Run
    var second: Run
    var surroundings = Surroundings()
    /// What was sent last in the first world, and its answer; nil where the exchange at hand was not sent.
    var last: (request: PlayedRequest, answer: Stage.Answer)?
    private var now = Date(timeIntervalSince1970: 0)
    /// The exchange that left each thread otherwise than in the recording.
    private var taints: [Int: Int] = [:]
    /// The same for a mount of which a part is not in the recording.
    private var mounts: [String: Int] = [:]
    /// By mount, the exchange that took the newest of several codes.
    private var guesses: [String: Int] = [:]
    private var started = Date(timeIntervalSince1970: 0)

    init(first: Run, second: Run) { (self.first, self.second) = (first, second) }

    /// Seconds by which entries may stand in another order than they were asked in.
    private static let slack = 1.0

    /// Backwards only where somebody set the clock back: what was asked later had begun earlier, and was over before.
    mutating func moveClocks(
        to exchange: Exchange, _ stages: (first: Stage, second: Stage)
    ) throws {
        let time = exchange.playedAt
        let isSetBack =
            exchange.startedAt.adding(seconds: Self.slack) < started && time.adding(seconds: Self.slack) < now
        started = exchange.startedAt
        guard time > now || isSetBack else { return }
        now = time
        (first.now, second.now) = (time.adding(seconds: first.ahead), time.adding(seconds: second.ahead))
        try stages.first.setClock(first.now)
        try stages.second.setClock(second.now)
    }

    mutating func learn(
        _ exchange: Exchange, _ place: Bases.Place, _ first: Stage.Answer, _ second: Stage.Answer
    ) {
        let recorded = GivenValues(headers: exchange.response.headers, body: exchange.response.body)
        for (answer, run) in [(first, \Play.first), (second, \Play.second)] {
            self[keyPath: run].learn(exchange, place, ours: answer)
            if (answer.status < 400) == (exchange.response.status < 400) {
                let ours = GivenValues(headers: answer.headers, body: answer.body)
                self[keyPath: run].substitution.learn(recorded: recorded, ours: ours, from: exchange.number)
            } else {
                self[keyPath: run].substitution.lose(recorded, from: exchange.number)
            }
        }
    }

    mutating func taint(_ thread: Int, _ number: Int) { if taints[thread] == nil { taints[thread] = number } }

    mutating func taint(platform mount: String, _ number: Int) {
        if mounts[mount] == nil { mounts[mount] = number }
    }

    mutating func guess(_ mount: String, _ number: Int) { guesses[mount] = number }

    /// Why the recorded service may have taken what ours refuses: the code was another one.
    func guessed(_ mount: String) -> String? {
        guesses[mount].map {
            "several codes or links were waiting when one was sent with request #\($0), and the recording does not tell which it was"
        }
    }

    func tainted(_ thread: Int, _ mount: String) -> Int? { taints[thread] ?? mounts[mount] }
}
