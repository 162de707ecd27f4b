/// The kinds of effects, in the order of help and forms.
package enum FaultEffects {
    package static let all: [any FaultEffect.Type] = [
        AnswerEffect.self, PatchEffect.self, DelayEffect.self, DropEffect.self, ResetEffect.self,
        TruncateEffect.self,
        TrickleEffect.self, RateLimitEffect.self, MailEffect.self, SMSEffect.self, PushEffect.self,
        CallbackEffect.self, ClockSkewEffect.self, TokenEffect.self,
    ]

    package static func kind(_ key: String) -> (any FaultEffect.Type)? { all.first { $0.key == key } }
}

/// The member `effect` of a rule: `{"delay": {…}}`.
struct WrittenEffects: Codable, Sendable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ stringValue: String) { self.stringValue = stringValue }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// One, of a rule that is right.
    let written: [any FaultEffect]

    init(_ effect: any FaultEffect) { written = [effect] }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func read<Effect: FaultEffect>(_: Effect.Type) throws -> (any FaultEffect)? {
            try members.decodeIfPresent(Effect.self, forKey: Key(Effect.key))
        }
        written = try FaultEffects.all.compactMap { try read($0) }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        func write<Effect: FaultEffect>(_ effect: Effect) throws {
            try members.encode(effect, forKey: Key(Effect.key))
        }
        for effect in written { try write(effect) }
    }

    /// - Throws: ``FixtureProblem`` for none, and for more than one.
    func only() throws -> any FaultEffect {
        if let effect = written.first, written.count == 1 { return effect }
        func key(_ effect: any FaultEffect) -> String { type(of: effect).key }
        let found = written.isEmpty ? "none" : written.map(key).joined(separator: " and ")
        throw FixtureProblem(
            at: ["effect"],
            "expected exactly one of \(FaultEffects.all.map { $0.key }.joined(separator: ", ")), found \(found)"
        )
    }
}
