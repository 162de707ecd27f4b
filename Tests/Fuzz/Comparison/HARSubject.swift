import Comparison
import Essentials
import HTTP
import PlatformKit
import Platforms
import Synchronization

/// A recording: it is refused with a sentence, or read and compared, without a network. An answer that is the recorded one never differs, and
/// rules made from a report allow all that it tells.
struct HARSubject: Subject {
    static let name = "har"
    static let memoryMiB: Int? = 400

    private let book = RouteBook(Platforms.all.flatMap { Self.routes(of: $0) })
    private let trees: [JSONTree]
    private let mutator: JSONTreeMutator
    static let root = "http://localhost:8420"

    init() {
        trees = Self.recordings.compactMap { try? JSONTree(JSONValue(parsing: Array($0.utf8))) }
        precondition(trees.count == Self.recordings.count, "a recording of the corpus is no JSON")
        mutator = JSONTreeMutator(pool: trees.flatMap(\.descendants).filter { $0.count < 20 })
    }

    private static func routes<P: Platform>(of platform: P.Type) -> [KnownRoute] {
        platform.mounts.flatMap { mount in
            mount.routes.map {
                KnownRoute(
                    platform: platform.name, title: platform.title, mount: mount.path,
                    method: $0.method.rawValue, pattern: $0.pattern)
            }
        }
    }

    var corpus: [[UInt8]] { trees.map { Array($0.text.utf8) } }

    /// Most are changed as JSON, the others byte by byte.
    func input(_ mutator: Mutator, _ random: inout SplitMix64) -> [UInt8] {
        if random.below(4) == 0 { return mutator.input(&random) }
        var tree = random.pick(trees)
        for _ in 0...random.below(6) { self.mutator.mutate(&tree, &random) }
        return Array(tree.text.utf8)
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let exchanges: [Exchange]
        let bases: Bases
        do {
            exchanges = try HARReader.exchanges(in: input)
            bases = try Bases(of: exchanges, book)
        } catch {
            return try checkSentence(error.description)
        }
        for exchange in exchanges.prefix(10) { try checkMirror(exchange) }
        try checkPlay(exchanges, bases, random.next())
    }

    private func checkSentence(_ text: String) throws(Violation) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Violation("the refusal is no line: \(text)")
        }
    }

    /// Answered by what was recorded, nothing differs.
    private func checkMirror(_ exchange: Exchange) throws(Violation) {
        guard exchange.request.url.hasPrefix(Self.root + "/"),
            !exchange.request.url.hasPrefix(Self.root + "/w/"),
            let bases = try? Bases(of: [exchange], book)
        else { return }
        let answer = Stage.Answer(
            status: exchange.response.status, headers: exchange.response.headers, body: exchange.response.body
        )
        let stage = Stage(
            base: Self.root, setClock: { _ in }, send: { _, _, _, _ in answer }, sent: { [] },
            passkey: { _ in throw Unsendable("nobody is here") }, fixtures: { Array("{}".utf8) })
        let findings: [Finding]
        do {
            findings = try Comparer([exchange], book, bases, first: stage, second: stage).findings()
        } catch {
            throw Violation("the comparison of one exchange ends with \(error)")
        }
        for finding in findings where isOwn(finding, exchange) {
            if case .differs(let differences) = finding.verdict {
                throw Violation("an answer differs from itself: \(differences.map(\.sentence))")
            }
        }
    }

    /// Whether its mount is the first segment of the address, there and here.
    private func isOwn(_ finding: Finding, _ exchange: Exchange) -> Bool {
        let mount = exchange.request.url.dropFirst(Self.root.count + 1).prefix { !"/?#".contains($0) }
        guard let path = finding.route?.split(separator: " ").last else { return false }
        return path.split(separator: "/").first == mount && !path.hasPrefix("/\(mount)/\(mount)")
    }

    /// The whole recording in two worlds that answer in its order, or with what was recorded elsewhere.
    private func checkPlay(_ exchanges: [Exchange], _ bases: Bases, _ seed: UInt64) throws(Violation) {
        let worlds = [HARWorld(exchanges, "one", seed: seed), HARWorld(exchanges, "two", seed: seed)]
        let findings: [Finding]
        do {
            findings = try Comparer(
                exchanges, book, bases, first: worlds[0].stage, second: worlds[1].stage
            ).findings()
        } catch {
            throw Violation("the comparison ends with \(error)")
        }
        for world in worlds {
            if let fault = world.fault { throw Violation(fault) }
        }
        guard findings.count == exchanges.count else {
            throw Violation("\(exchanges.count) exchanges have \(findings.count) findings")
        }
        let report = Report(
            findings, book, needs: Need.all(in: exchanges, findings, fixtures: "{}"))
        try checkReport(report)
        do {
            let accepted = try Report(findings, book, rules: Rules(report.acceptance))
            guard accepted.differenceCount == 0 else {
                throw Violation("rules that were made from the report leave differences: \(accepted.text)")
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation("rules that were made from the report are refused: \(error)")
        }
    }

    private func checkReport(_ report: Report) throws(Violation) {
        do {
            _ = try JSONValue(parsing: Array(report.json.utf8))
        } catch {
            throw Violation("the report is no JSON: \(error)")
        }
        guard !report.html.contains("<script") else {
            throw Violation("the report has what the recording says as it is: \(report.html)")
        }
    }
}

/// A world that answers from a recording.
private final class HARWorld: Sendable {
    private struct State {
        var random: SplitMix64
        var count = 0
        var now: Date?
        var fault: String?
    }

    private let exchanges: [Exchange]
    private let base: String
    private let state: Mutex<State>

    init(_ exchanges: [Exchange], _ name: String, seed: UInt64) {
        self.exchanges = exchanges
        base = "http://127.0.0.1:1/w/" + name
        state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    var fault: String? { state.withLock { $0.fault } }

    var stage: Stage {
        Stage(
            base: base, setClock: { self.setClock($0) }, send: { self.answer($0, $1, $2, $3) },
            sent: {
                [
                    Stage.Sent(to: "ada@example.com", code: "730514", link: nil),
                    Stage.Sent(to: "ada@example.com", code: "730514", link: nil),
                    Stage.Sent(to: "bob@example.com", code: nil, link: "http://localhost/x?token=abcdefghij"),
                ]
            },
            passkey: { self.credential($0) }, fixtures: { Array("{}".utf8) })
    }

    /// A credential, or what is none.
    private func credential(_ order: PasskeyOrder) -> [UInt8] {
        let isOne = state.withLock { $0.random.below(2) == 0 }
        return Array(
            (isOne ? "{\"id\":\"b3Vycw\",\"response\":{\"clientDataJSON\":\"e30\"}}" : "{\"id\":7").utf8)
    }

    private func setClock(_ time: Date) {
        state.withLock { state in
            if let now = state.now, time < now { state.fault = "the clock goes backwards" }
            state.now = time
        }
    }

    private func answer(_ method: Request.Method, _ url: String, _ headers: Headers, _ body: [UInt8])
        -> Stage.Answer
    {
        state.withLock { state in
            if !url.hasPrefix(base + "/") { state.fault = "the address \(url) is sent to \(base)" }
            let isOther = state.random.below(6) == 0
            let index = isOther ? state.random.below(exchanges.count) : state.count % exchanges.count
            state.count += 1
            let response = exchanges[index].response
            return Stage.Answer(status: response.status, headers: response.headers, body: response.body)
        }
    }
}
