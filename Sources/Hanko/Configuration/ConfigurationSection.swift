import Essentials
import PlatformKit

/// A part of the configuration. Its properties hold what counts where a file says nothing; ``members`` are what a file may say.
protocol ConfigurationSection: Decodable, Sendable, Equatable {
    init()

    static var members: [ConfigurationMember<Self>] { get }

    /// - Throws: `FixtureProblem`, with a path below this section, for what no member alone gets wrong.
    func check() throws
}

extension ConfigurationSection {
    /// - Throws: `FixtureProblem` for a value that makes no sense.
    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: ConfigurationKey.self)
        for member in Self.members { try member.read(container, &self) }
        try check()
    }

    func check() throws {}

    /// Members that change nothing here, by their paths, and why.
    static var ignored: [(path: [String], reason: String)] { members.flatMap(\.ignored) }
}

/// The name of a member, and where its value goes.
struct ConfigurationMember<Section>: Sendable {
    let name: String
    fileprivate let read: @Sendable (KeyedDecodingContainer<ConfigurationKey>, inout Section) throws -> Void
    /// This member or those below it that change nothing here.
    private(set) var ignored: [(path: [String], reason: String)] = []

    /// - Parameter take: throws `FixtureProblem` with a path below the member.
    static func taking<Value: Decodable & SendableMetatype>(
        _ name: String, _ take: @escaping @Sendable (inout Section, Value) throws -> Void
    ) -> Self {
        Self(name: name) { container, section in
            guard let value = try container.decodeIfPresent(Value.self, forKey: ConfigurationKey(name)) else {
                return
            }
            do {
                try take(&section, value)
            } catch let problem as FixtureProblem {
                throw FixtureProblem(at: [name] + problem.path, problem.reason)
            }
        }
    }

    static func value<Value: Decodable & SendableMetatype>(
        _ name: String, _ place: any WritableKeyPath<Section, Value> & Sendable
    ) -> Self {
        taking(name) { $0[keyPath: place] = $1 }
    }

    static func optional<Value: Decodable & SendableMetatype>(
        _ name: String, _ place: any WritableKeyPath<Section, Value?> & Sendable
    ) -> Self {
        taking(name) { (section, value: Value) in section[keyPath: place] = value }
    }

    /// A text of which Hanko takes the empty one for nothing.
    static func text(_ name: String, _ place: any WritableKeyPath<Section, String?> & Sendable) -> Self {
        taking(name) { (section, text: String) in if !text.isEmpty { section[keyPath: place] = text } }
    }

    static func number(
        _ name: String, _ place: any WritableKeyPath<Section, Int> & Sendable,
        _ range: ClosedRange<Int> = 1...1_000_000
    ) -> Self {
        taking(name) { (section, number: Int) in
            try FixtureRules.require(range, number, at: [])
            section[keyPath: place] = number
        }
    }

    static func optionalNumber(
        _ name: String, _ place: any WritableKeyPath<Section, Int?> & Sendable, _ range: ClosedRange<Int>
    ) -> Self {
        taking(name) { (section, number: Int) in
            try FixtureRules.require(range, number, at: [])
            section[keyPath: place] = number
        }
    }

    /// A length of time of at least a second.
    static func duration(_ name: String, _ place: any WritableKeyPath<Section, GoDuration> & Sendable) -> Self
    {
        taking(name) { (section, duration: GoDuration) in
            guard 1...GoDuration.longest ~= duration.seconds else {
                throw FixtureProblem(
                    at: [],
                    "expected a duration from one second to ten years, such as \"\(section[keyPath: place].text)\""
                )
            }
            section[keyPath: place] = duration
        }
    }

    static func section<Nested: ConfigurationSection>(
        _ name: String, _ place: any WritableKeyPath<Section, Nested> & Sendable
    ) -> Self {
        value(name, place).ignoring(below: Nested.self)
    }

    /// A section that may be missing.
    static func optionalSection<Nested: ConfigurationSection>(
        _ name: String, _ place: any WritableKeyPath<Section, Nested?> & Sendable
    ) -> Self {
        optional(name, place).ignoring(below: Nested.self)
    }

    /// A member of the vendor's file that changes nothing here.
    static func ignored(_ name: String, _ reason: String) -> Self {
        // To ask for it is to know it.
        var member = Self(name: name) { container, _ in _ = container.contains(ConfigurationKey(name)) }
        member.ignored = [([name], reason)]
        return member
    }

    private func ignoring<Nested: ConfigurationSection>(below _: Nested.Type) -> Self {
        var member = self
        member.ignored = Nested.ignored.map { ([name] + $0.path, $0.reason) }
        return member
    }
}

struct ConfigurationKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A length of time as Hanko's configuration writes it: `12h`, `1h30m`, `1.5s`, `300ms`.
///
/// Source: Go, package time, `ParseDuration`.
struct GoDuration: Decodable, Sendable, Equatable {
    /// Ten years, in seconds. Longer ones only come from slips, and the sums of time and duration must stay in range.
    static let longest = 315_360_000.0

    let text: String
    let seconds: Double

    static let zero = GoDuration(seconds: 0, text: "0")
    static func minutes(_ count: Int) -> GoDuration {
        GoDuration(seconds: Double(count) * 60, text: "\(count)m")
    }
    static func hours(_ count: Int) -> GoDuration {
        GoDuration(seconds: Double(count) * 3600, text: "\(count)h")
    }

    private init(seconds: Double, text: String) { (self.seconds, self.text) = (seconds, text) }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard let seconds = Self.seconds(text), seconds.isFinite else {
            throw FixtureProblem(
                at: [], "expected a duration such as \"12h\" or \"1h30m\", found \"\(text)\"")
        }
        self.seconds = seconds
    }

    /// Nil when the text is no duration.
    static func seconds(_ text: String) -> Double? {
        if text == "0" { return 0 }
        var rest = text[...]
        let sign: Double = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var total = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !$0.isNumber }
            rest = rest.dropFirst(unit.count)
            guard let count = Double(number), let seconds = units[String(unit)] else { return nil }
            total += count * seconds
        }
        return sign * total
    }

    private static let units: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
}
