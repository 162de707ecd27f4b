import Comparison
import Essentials
import HTTP
import PlatformKit

/// `compare`: holds our answers beside those of a recorded service.
enum CompareCommand {
    /// Nothing was compared: wrong usage, or a file that is no recording.
    private static let unusable: Int32 = 2
    private static let rulesLimit = 4 << 20

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let path = invocation.operands[0]
        let wish = try ComparisonWish(
            platforms: invocation.texts(.comparePlatform), bases: invocation.texts(.base))
        let rules = try rules(invocation)
        let exchanges = try usable(path) { () throws -> [Exchange] in
            try HARReader.exchanges(
                in: BoundedFile.bytes(at: path, limit: HARReader.fileLimit, of: "a recording"))
        }
        let bases = try usable(path) { () throws -> Bases in
            try wish.bases(of: exchanges)
        }
        guard let first = exchanges.first else {
            throw Failure("\(path): the recording has no requests", status: unusable)
        }
        let run = ComparisonRun(
            exchanges: exchanges, book: wish.book, bases: bases, rules: rules, isAsIs: invocation.flag(.asIs))
        let report = try report(run, invocation, terminal)
        guard !report.isEmpty else {
            throw Failure(
                "\(path): none of its requests goes to a service that is emulated; say which one is: --base hanko=\(first.origin)",
                status: unusable)
        }
        try write(report, invocation, terminal)
        if let path = invocation.text(.recordedFaults) {
            try write(report.faults(as: exchanges), at: path, terminal)
        }
        return report.differenceCount == 0 || invocation.flag(.accept) ? 0 : 1
    }

    /// Plays the recording against a server that lives as long.
    private static func report(
        _ run: ComparisonRun, _ invocation: Invocation, _ terminal: Terminal
    ) throws -> Report {
        let server = try RunningServer(ServeSettings(serving(invocation)), terminal)
        defer { server.stop() }
        let (report, made) = try run.report(
            at: ComparisonPlace(worlds: server.worlds, server: "http://127.0.0.1:\(server.port)"))
        if let path = invocation.text(.made) { try save(Made.file(made).text + "\n", at: path) }
        return report
    }

    /// What `serve` would be told: a free port, no file of the folder, and the fixtures.
    private static func serving(_ invocation: Invocation) -> Invocation {
        var given = [
            Option.port.name: Invocation.Given(values: ["0"], source: "--port"),
            Option.host.name: Invocation.Given(values: ["127.0.0.1"], source: "--host"),
        ]
        given[Option.fixtures.name] = invocation.given[Option.fixtures.name]
        given[Option.noCache.name] = invocation.given[Option.noCache.name]
        return Invocation(command: Commands.serve, operands: [], given: given)
    }

    private static func usable<Result>(_ path: String, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as RecordingUnreadable {
            throw Failure("\(path): \(error)", status: unusable)
        } catch let failure as Failure {
            throw Failure(failure.message, status: unusable)
        }
    }

    private static func rules(_ invocation: Invocation) throws -> Rules {
        guard let path = invocation.text(.rules) else {
            guard !invocation.flag(.accept) else {
                throw UsageError("--accept needs --rules, the file to write")
            }
            return .none
        }
        // With --accept, the file may be made now.
        if invocation.flag(.accept), !BoundedFile.isThere(path) { return .none }
        return try usable(path) { () throws -> Rules in
            try Rules(
                String(decoding: BoundedFile.bytes(at: path, limit: rulesLimit, of: "rules"), as: UTF8.self))
        }
    }

    private static func write(_ report: Report, _ invocation: Invocation, _ terminal: Terminal) throws {
        if invocation.flag(.accept), let path = invocation.text(.rules), report.differenceCount > 0 {
            let old =
                BoundedFile.isThere(path)
                ? String(
                    decoding: try BoundedFile.bytes(at: path, limit: rulesLimit, of: "rules"), as: UTF8.self)
                : ""
            let gap = old.isEmpty || old.hasSuffix("\n") ? "" : "\n"
            try save(old + gap + report.acceptance, at: path)
            let rules = report.differenceCount.counted("rule")
            terminal.complain("understudy: wrote \(rules) to \(path); say why in each")
        }
        if let path = invocation.text(.html) { try save(report.html, at: path) }
        terminal.write(invocation.flag(.json) ? report.json : Columns.printable(report.text))
    }

    /// Rules for the world of the next test, and what they cannot do.
    private static func write(_ faults: RecordedFaults, at path: String, _ terminal: Terminal) throws {
        try save(faults.fixtures, at: path)
        let told =
            switch faults.rules.count {
            case 0: "\(path) has no faults"
            case 1: "one fault was written to \(path)"
            case let count: "\(count) faults were written to \(path)"
            }
        let hint =
            faults.rules.isEmpty
            ? "" : "; serve --fixtures default --fixtures \(path) answers as recorded"
        terminal.complain("understudy: \(told)\(hint)")
        for sentence in faults.left {
            terminal.complain("understudy: not in \(path): \(Columns.plain(sentence))")
        }
    }

    private static func save(_ text: String, at path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw Failure("\(path): \(error.sentence)", status: unusable)
        }
    }
}

extension Exchange {
    /// Scheme and host, for advice.
    fileprivate var origin: String {
        let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

extension Columns {
    /// Lines of text without what would move the cursor: values of a recording come from anywhere.
    fileprivate static func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { plain(String($0)) }.joined(
            separator: "\n")
    }
}

extension Option {
    static let comparePlatform = Option.many(
        "platform", "NAME", separator: ",", "only requests to this platform, such as hanko"
    ).twin("compare-platform")
    static let base = Option.many(
        "base", "MOUNT=URL", separator: ",",
        "where the recorded service stood, such as hanko=https://tenant.example; by default it is told by its paths"
    ).twin("compare-base")
    static let rules = Option.one(
        "rules", "FILE", "differences that are known, one JSON object a line"
    ).twin("compare-rules")
    static let accept = Option.flag("accept", "write what differs to --rules, and exit with 0").twin(
        "compare-accept")
    static let recordedFaults = Option.one(
        "faults", "FILE", "also write faults, as fixtures, that make Understudy answer as recorded"
    ).twin("compare-faults")
    static let asIs = Option.flag(
        "as-is", "make no people and clients that the recording takes for granted"
    ).twin("compare-as-is")
    static let made = Option.one(
        "made", "FILE", "also write the people and clients that were made, with their secrets, as fixtures"
    ).twin("compare-made")
    static let html = Option.one("html", "FILE", "also write the report as a page").twin("compare-html")
}

extension Commands {
    static let compare = Command(
        name: "compare", summary: "hold Understudy's answers beside those of a recorded service",
        operands: .one("FILE.har"),
        options: [
            .comparePlatform, .base, .fixtures, .asIs, .made, .noCache, .rules, .accept, .recordedFaults,
            .html,
            .json,
        ],
        discussion: [
            "Plays the requests of an HTTP archive, as browsers and proxies save it, in a fresh world, at the times at which they were",
            "made, and says in which way each answer differs. Values that chance makes are only compared by their form.",
            "Exit status: 0 when nothing differs but what --rules allows, 1 when something does, 2 when nothing was compared.",
        ],
        examples: [
            ("compare session.har", "the services are told by their paths"),
            ("compare session.har --base hanko=https://tenant.example", "by their address"),
            ("compare session.har --rules known.jsonl --accept", "start with what is there today"),
            ("compare session.har --faults as-recorded.json", "answer as the real service does, for now"),
        ],
        run: CompareCommand.run)
}
