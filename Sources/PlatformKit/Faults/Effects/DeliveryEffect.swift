/// What becomes of messages of one channel, or of callbacks, on their way.
package protocol DeliveryEffect: FaultEffect {
    /// `text message`
    static var noun: String { get }
    /// Nil for callbacks.
    static var channel: Message.Channel? { get }
    var delivery: FaultDelivery { get }

    init(delivery: FaultDelivery)
}

extension DeliveryEffect {
    package static var form: String { "lost, twice, late:30s" }
    package static var does: String { "how \(title) are delivered" }

    // On the wire it is its delivery.
    package init(from decoder: any Decoder) throws { self.init(delivery: try FaultDelivery(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try delivery.encode(to: encoder) }

    package init?(_ text: String) {
        guard let delivery = FaultDelivery(text) else { return nil }
        self.init(delivery: delivery)
    }

    package var words: String { "\(Self.noun) \(delivery.words)" }
    package var detail: String? { delivery.fate.rawValue }
    package var phase: FaultPhase { Self.channel.map { .message($0, delivery) } ?? .callback(delivery) }
    package func check(at path: [String]) throws { try delivery.check(at: path) }
}

extension FaultDelivery {
    /// `lost`, `twice`, `late:30s`.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let fate = parts.first.flatMap({ Fate(rawValue: String($0)) }),
            (parts.count == 2) == (fate == .late)
        else { return nil }
        guard fate == .late else {
            self.init(fate: fate)
            return
        }
        guard let seconds = TimeSpan.seconds(String(parts[1])) else { return nil }
        self.init(fate: fate, seconds: seconds)
    }

    fileprivate var words: String { fate.rawValue + (seconds.map { " by \($0.plain) s" } ?? "") }

    fileprivate func check(at path: [String]) throws {
        if fate == .late, seconds == nil {
            throw FixtureProblem(at: path + ["seconds"], "expected the seconds by which it is late")
        }
        if fate != .late, seconds != nil {
            throw FixtureProblem(at: path + ["seconds"], "only what is late has seconds")
        }
        try FaultBounds.check(seconds: seconds, path + ["seconds"])
    }
}

package struct MailEffect: DeliveryEffect {
    package static let key = "mail"
    package static let title = "mails"
    package static let noun = "mail"
    package static let channel: Message.Channel? = .mail

    package let delivery: FaultDelivery

    package init(delivery: FaultDelivery) { self.delivery = delivery }
}

package struct SMSEffect: DeliveryEffect {
    package static let key = "sms"
    package static let title = "text messages"
    package static let noun = "text message"
    package static let channel: Message.Channel? = .sms

    package let delivery: FaultDelivery

    package init(delivery: FaultDelivery) { self.delivery = delivery }
}

package struct PushEffect: DeliveryEffect {
    package static let key = "push"
    package static let title = "pushes"
    package static let noun = "push"
    package static let channel: Message.Channel? = .push

    package let delivery: FaultDelivery

    package init(delivery: FaultDelivery) { self.delivery = delivery }
}

package struct CallbackEffect: DeliveryEffect {
    package static let key = "callback"
    package static let title = "callbacks"
    package static let noun = "callback"
    package static let does = "how callbacks and webhooks are delivered"
    package static let channel: Message.Channel? = nil

    package let delivery: FaultDelivery

    package init(delivery: FaultDelivery) { self.delivery = delivery }
}
