package import HTTP

/// The connection ends without an answer: ``DropEffect`` and ``ResetEffect``.
package protocol EndingEffect: StrikesRequests, SpoilsAnswers {
    static var isReset: Bool { get }
    /// `drops`
    static var verb: String { get }
    /// `closed`
    static var participle: String { get }
    var when: EndingMoment { get }

    init(when: EndingMoment)
}

package enum EndingMoment: String, Codable, Sendable, CaseIterable {
    /// The platform does not see the request.
    case before
    /// What the request asks for is done, and only its answer lost.
    case after
}

extension EndingEffect {
    package static var form: String { "before, after" }

    package init?(_ text: String) {
        guard let moment = EndingMoment(rawValue: text) else { return nil }
        self.init(when: moment)
    }

    package var words: String { "\(Self.verb) the connection \(when.rawValue) the platform acts" }
    package var detail: String? { when.rawValue }

    package var phase: FaultPhase {
        switch when {
        case .before: .request(self)
        case .after: .answer(self)
        }
    }

    package func strike(_ request: inout StruckRequest) { request.verdict = .end(isReset: Self.isReset) }

    package func sentence(_ fault: String, _: StruckRequest) -> String {
        "The \(fault) \(Self.participle) the connection without an answer; the platform did not see the request."
    }

    package func spoils(_: Response) -> Bool { true }

    package func spoil(_ response: inout Response) { response.body = .cut(.init(isReset: Self.isReset)) }

    package func sentence(_ fault: String, spoiling _: Response) -> String {
        "The \(fault) \(Self.participle) the connection instead of sending this answer; what the request asked for was done."
    }
}

package struct DropEffect: EndingEffect {
    package static let key = "drop"
    package static let title = "a dropped connection"
    package static let does = "closes the connection without an answer, before or after the platform acted"
    package static let isReset = false
    package static let verb = "drops"
    package static let participle = "closed"

    package var when: EndingMoment

    package init(when: EndingMoment) { self.when = when }
}

package struct ResetEffect: EndingEffect {
    package static let key = "reset"
    package static let title = "a reset connection"
    package static let does = "resets the connection instead"
    package static let isReset = true
    package static let verb = "resets"
    package static let participle = "reset"

    package var when: EndingMoment

    package init(when: EndingMoment) { self.when = when }
}
