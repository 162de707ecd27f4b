import Essentials
import HTTP
import PlatformKit

/// Holds a recorded answer beside those of two runs of ours.
struct AnswerComparison {
    let bases: Bases
    /// Base URLs of the two worlds.
    let worlds: (first: String, second: String)
    private let pairs: [(recorded: String, ours: String)]
    /// Addresses of the two worlds, also through the proxies of the recording.
    private let addresses: [String]

    init(bases: Bases, worlds: (first: String, second: String)) {
        (self.bases, self.worlds) = (bases, worlds)
        pairs = bases.pairs(to: Self.world)
        addresses = [worlds.first, worlds.second].flatMap(bases.addresses)
    }

    func differences(
        _ exchange: Exchange, _ place: Bases.Place, _ ours: Stage.Answer, _ second: Stage.Answer
    ) -> [Difference] {
        let recorded = exchange.response
        if recorded.status != ours.status { return [status(recorded.status, ours)] }
        var comparison = ValueComparison(
            plain: { [pairs] in Self.plain($0, pairs) },
            plainOurs: { [addresses] in addresses.reduce($0, Self.plain) })
        let told = exchange.told
        comparison.compareHeads(
            recorded.headers, ours.headers, second.headers,
            origins: origins(exchange, told),
            hasBody: !recorded.body.isEmpty || !ours.body.isEmpty && !recorded.isCut)
        comparison.compareCookies(
            recorded.headers, ours.headers, second.headers,
            paths: bases.paths(place, told, world: worlds.first),
            isSecureThere: exchange.request.url.asciiLowercased.hasPrefix("https:"),
            isPassed: exchange.isPassed)
        if !recorded.isCut { compareBodies(recorded, ours, second, &comparison) }
        return comparison.differences
    }

    static let world = "{world}"

    /// Addresses of one of our worlds with a word that stands for the world.
    private static func plain(_ text: String, _ world: String) -> String {
        guard text.contains("://") else { return text }
        return text.replacing(world, with: Self.world).replacing("ws" + world.dropFirst(4), with: Self.world)
    }

    /// Recorded addresses in the same form.
    private static func plain(_ text: String, _ pairs: [(recorded: String, ours: String)]) -> String {
        guard text.contains("://") else { return text }
        return pairs.reduce(text) { $0.contains($1.recorded) ? $0.replacing($1.recorded, with: $1.ours) : $0 }
    }

    private func status(_ recorded: Int, _ ours: Stage.Answer) -> Difference {
        func words(_ code: Int) -> String { "\(code) \(Status(code: code).reason)" }
        let why = Response(status: Status(code: ours.status), headers: ours.headers).toldExplanation
        let said = why.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        return Difference(
            .status, "status", recorded: "\(recorded)", ours: "\(ours.status)",
            "the recording has \(words(recorded)), Understudy answers \(words(ours.status))"
                + (said.map { ": " + $0 } ?? ""))
    }

    /// Scheme and host that the client used, there and here.
    private func origins(_ exchange: Exchange, _ told: ToldAddress?) -> (recorded: String, ours: String) {
        let (there, here) = (WebAddress(exchange.request.url), WebAddress(worlds.first))
        guard let told else { return (there?.origin ?? "", here?.origin ?? "") }
        return (
            told.scheme + "://" + told.authority.asciiLowercased,
            told.scheme + "://" + (here?.authority ?? "")
        )
    }

    private func compareBodies(
        _ recorded: RecordedResponse, _ ours: Stage.Answer, _ second: Stage.Answer,
        _ comparison: inout ValueComparison
    ) {
        switch (recorded.body.isEmpty, ours.body.isEmpty) {
        case (true, true): return
        case (true, false):
            return comparison.add(
                .more, "body", ours: String(decoding: ours.body.prefix(200), as: UTF8.self),
                "the recorded answer has no body, that of Understudy has one")
        case (false, true):
            return comparison.add(
                .missing, "body", recorded: String(decoding: recorded.body.prefix(200), as: UTF8.self),
                "the recorded answer has a body, that of Understudy has none")
        case (false, false): break
        }
        // What one side calls otherwise has been said already.
        guard recorded.headers.mediaType == ours.headers.mediaType || recorded.headers["Content-Type"] == nil
        else { return }
        let (there, here) = (
            Self.read(recorded.body, recorded.headers.mediaType), Self.read(ours.body, ours.headers.mediaType)
        )
        if let there, let here {
            let other = Self.read(second.body, second.headers.mediaType)
            comparison.compare(there, here, second.status == ours.status ? other : nil, at: "body")
        } else if ours.headers.mediaType.hasSuffix("json"), (there == nil) != (here == nil) {
            let (before, now) = (there == nil ? "no JSON" : "JSON", here == nil ? "no JSON" : "JSON")
            comparison.add(
                .type, "body", recorded: before, ours: now,
                "the recorded body is \(before), that of Understudy is \(now)")
        }
    }

    /// As a value that can be compared; nil for what is for people or programs alone.
    private static func read(_ body: [UInt8], _ type: String) -> SpelledJSON? {
        switch BodyContent(body, called: type) {
        case .json(let json): return json
        case .form(let form):
            return .object(form.pairs.map { .init(name: $0.name, value: .string($0.value)) })
        case .page:
            let given = GivenValues(headers: ["Content-Type": type], body: body)
            let fields = given.values.filter {
                $0.place.hasPrefix("field.") && !$0.place.dropFirst(6).contains(".")
            }
            return .object(
                fields.map { .init(name: String($0.place.dropFirst(6)), value: .string($0.value)) })
        case .none, .other:
            let isText = type.hasPrefix("text/plain") || type.contains("jwt")
            guard body.count < 20_000, isText else { return nil }
            return String(validating: body, as: UTF8.self).map(SpelledJSON.string)
        }
    }
}
