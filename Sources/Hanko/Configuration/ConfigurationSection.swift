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
                    "expected a duration from one second to ten years, such as “\(section[keyPath: place].text)”"
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
