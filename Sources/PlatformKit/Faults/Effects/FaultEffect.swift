package import Essentials
package import HTTP
package import JOSE

/// What a fault does. Each kind is a file of its own, and a line in ``FaultEffects/all``.
package protocol FaultEffect: Codable, Sendable, Equatable {
    /// The member of a rule's `effect`: lower case, with `_`.
    static var key: String { get }
    /// In a form of the console: `a rate limit`.
    static var title: String { get }
    /// How people write its value: `10/60s`; several forms with commas.
    static var form: String { get }
    /// For help: `answers requests beyond this rate with 429`.
    static var does: String { get }

    /// A value as people write it.
    ///
    /// - Returns: nil for what is none; ranges are left to ``check(at:)``.
    init?(_ text: String)

    /// What it does, in a few words: `answers 503`.
    var words: String { get }
    /// What a name that is made up says beside ``key``: `503`.
    var detail: String? { get }
    /// When it acts, and what it does then.
    var phase: FaultPhase { get }

    /// - Throws: ``FixtureProblem`` for what its shape cannot say.
    func check(at path: [String]) throws

    /// Whether a hit is let pass after all, such as one within a rate.
    func spares(_ window: inout FaultWindow?, at now: Date) -> Bool
}

extension FaultEffect {
    package var detail: String? { nil }
    package func check(at path: [String]) throws {}
    package func spares(_ window: inout FaultWindow?, at now: Date) -> Bool { false }

    /// For a name that is made up.
    var slug: String {
        ([Self.key] + [detail].compactMap(\.self)).joined(separator: "-").replacing("_", with: "-")
    }

    func isEqual(to other: any FaultEffect) -> Bool { (other as? Self) == self }
}

/// How much came since when.
package struct FaultWindow: Codable, Sendable, Equatable {
    /// By the world's clock.
    package var beganAt: Date
    package var requests: Int

    package enum CodingKeys: String, CodingKey {
        case beganAt = "began_at"
        case requests
    }
}

/// When an effect acts.
package enum FaultPhase: Sendable {
    /// Before the platform acts.
    case request(any StrikesRequests)
    /// When its answer is there.
    case answer(any SpoilsAnswers)
    /// When a message or a callback leaves, or a token is signed.
    case message(Message.Channel, FaultDelivery)
    case callback(FaultDelivery)
    /// Only tokens of the kind, such as `id_token`; see ``SigningSubject/kind``.
    case token(TokenFlaw, kind: String?)

    /// Whether it is about what leaves during a request, and not about the request.
    var isAboutDepartures: Bool {
        switch self {
        case .request, .answer: false
        case .message, .callback, .token: true
        }
    }
}

/// An effect before the platform acts.
package protocol StrikesRequests: FaultEffect {
    func strike(_ request: inout StruckRequest)

    /// For the journal; `fault` is its name in words: `fault “slow”`.
    func sentence(_ fault: String, _ request: StruckRequest) -> String
}

/// A request as faults leave it.
package struct StruckRequest {
    /// What ends the asking.
    package enum Verdict: Sendable {
        /// In the place of the platform's answer; given how the platform answers with a status alone.
        case answer(@Sendable (_ error: (Status) throws -> Response) throws -> Response)
        /// The connection ends; by a reset, or quietly.
        case end(isReset: Bool)
    }

    /// By the world's clock.
    let now: Date
    /// From 0 up to 1, drawn anew each time.
    let dice: () -> Double
    /// Of the rule that strikes.
    var window: FaultWindow?
    /// Seconds by which its answer is late.
    var delay: Double?
    /// Seconds by which the device's clock is ahead.
    var skew = 0.0
    var verdict: Verdict?
}

/// An effect on an answer that is there.
package protocol SpoilsAnswers: FaultEffect {
    /// Whether there is something in the answer that it can spoil.
    func spoils(_ response: Response) -> Bool

    /// Makes what leaves of such an answer: body, status or fields. The journal keeps what it was before; a web socket whose body is left
    /// alone is opened.
    func spoil(_ response: inout Response)

    /// For the journal; `fault` is its name in words.
    func sentence(_ fault: String, spoiling response: Response) -> String
}

/// What becomes of messages and callbacks on their way.
package struct FaultDelivery: Codable, Sendable, Equatable {
    package enum Fate: String, Codable, Sendable, CaseIterable {
        case lost, late, twice
    }

    package var fate: Fate
    /// Of what is late: messages by the world's clock, callbacks in real time.
    package var seconds: Double?
}
