package import Essentials
package import JOSE

/// What a fault does: exactly one of these.
package struct FaultEffect: Codable, Sendable, Equatable {
    // On the wire.
    package var answer: Answer?
    package var delay: Delay?
    package var drop: Ending?
    package var reset: Ending?
    package var truncate: Truncation?
    package var trickle: Trickle?
    package var rateLimit: RateLimit?
    // In meaning.
    package var mail: Delivery?
    package var sms: Delivery?
    package var push: Delivery?
    package var callback: Delivery?
    package var clockSkew: Skew?
    package var token: Token?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case answer, delay, drop, reset, truncate, trickle
        case rateLimit = "rate_limit"
        case mail, sms, push, callback
        case clockSkew = "clock_skew"
        case token
    }

    package init() {}

    /// An answer in the place of the platform's.
    package struct Answer: Codable, Sendable, Equatable {
        /// 200 to 599.
        package var status: Int
        package var headers: [String: String]?
        /// A text as it stands, or any JSON. Without one and without ``headers``, the platform's own error.
        package var body: JSONValue?

        package init(status: Int) { self.status = status }
    }

    /// The platform does what it is asked; its answer is late.
    package struct Delay: Codable, Sendable, Equatable {
        package var seconds: Double
        /// Up to so many seconds more, by chance.
        package var spread: Double?
    }

    /// The connection ends without an answer.
    package struct Ending: Codable, Sendable, Equatable {
        package enum Moment: String, Codable, Sendable, CaseIterable {
            /// The platform does not see the request.
            case before
            /// What the request asks for is done, and only its answer lost.
            case after
        }

        package var when: Moment
    }

    /// The connection ends after so many bytes of the body, of which the head says the whole length.
    package struct Truncation: Codable, Sendable, Equatable {
        package var bytes: Int
    }

    /// The body comes in pieces.
    package struct Trickle: Codable, Sendable, Equatable {
        /// Of each piece.
        package var bytes: Int
        /// Between two pieces.
        package var seconds: Double
    }

    /// What comes beyond it is answered with 429 and `Retry-After`, by the world's clock.
    package struct RateLimit: Codable, Sendable, Equatable {
        package var requests: Int
        package var seconds: Double
    }

    /// What becomes of messages and callbacks on their way.
    package struct Delivery: Codable, Sendable, Equatable {
        package enum Fate: String, Codable, Sendable, CaseIterable {
            case lost, late, twice
        }

        package var fate: Fate
        /// Of what is late: messages by the world's clock, callbacks in real time.
        package var seconds: Double?
    }

    /// The time that the platform believes it is while it serves the request.
    package struct Skew: Codable, Sendable, Equatable {
        /// How far the device's clock is ahead of the platform's; negative when it is behind.
        package var seconds: Double
    }

    /// What is wrong with tokens that are signed.
    package struct Token: Codable, Sendable, Equatable {
        package var flaw: TokenFlaw
        /// Only those of this kind, such as `id_token`; see ``TokenOrder/kind``.
        package var kind: String?
    }
}

extension FaultEffect {
    /// Those that are set; one, of an effect that was checked.
    var kinds: [CodingKeys] {
        let parts: [(CodingKeys, Bool)] = [
            (.answer, answer != nil), (.delay, delay != nil), (.drop, drop != nil), (.reset, reset != nil),
            (.truncate, truncate != nil), (.trickle, trickle != nil), (.rateLimit, rateLimit != nil),
            (.mail, mail != nil), (.sms, sms != nil), (.push, push != nil), (.callback, callback != nil),
            (.clockSkew, clockSkew != nil), (.token, token != nil),
        ]
        return parts.filter(\.1).map(\.0)
    }

    /// What becomes of a message on the channel.
    func delivery(on channel: Message.Channel) -> Delivery? {
        switch channel {
        case .mail: mail
        case .sms: sms
        case .push: push
        }
    }

    /// Whether it is about what leaves during a request, and not about the request.
    var isAboutDepartures: Bool {
        mail != nil || sms != nil || push != nil || callback != nil || token != nil
    }

    /// Whether it spoils an answer that is there.
    var isAboutAnswers: Bool {
        truncate != nil || trickle != nil || drop?.when == .after || reset?.when == .after
    }
}
